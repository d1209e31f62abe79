cmake_minimum_required(VERSION 3.22)
# Writes a C file with the bytes of FILE, and a zero behind them, in the array NAME and their number in
# NAME_size. The assembler includes the bytes itself: as numbers in C, megabytes of them take a compiler
# longer than the rest of the library. The hash makes the file compile again when only bytes change.
#     cmake -DFILE=… -DNAME=… -DOUTPUT=… -P embed.cmake
file(SIZE ${FILE} size)
file(SHA256 ${FILE} hash)
file(WRITE ${OUTPUT} "#include \"runtime/backends/gpu/embedded.h\"
// ${hash}
__asm__(\".pushsection .rodata\\n\"
        \".balign 64\\n\"
        \".globl ${NAME}\\n\"
        \".hidden ${NAME}\\n\"
        \"${NAME}:\\n\"
        \".incbin \\\"${FILE}\\\"\\n\"
        \".byte 0\\n\"
        \".popsection\\n\");
const size_t ${NAME}_size = ${size};
")
