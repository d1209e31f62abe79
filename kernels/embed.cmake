cmake_minimum_required(VERSION 3.22)
# Writes a C file with the bytes of FILE, and a zero behind them, in the array NAME and their number in
# NAME_size.
#     cmake -DFILE=… -DNAME=… -DOUTPUT=… -P embed.cmake
file(READ ${FILE} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n"
  bytes "${bytes}")
file(WRITE ${OUTPUT}
  "#include \"runtime/embedded.h\"\n"
  "const unsigned char ${NAME}[] = {\n${bytes}0};\nconst size_t ${NAME}_size = sizeof ${NAME} - 1;\n")
