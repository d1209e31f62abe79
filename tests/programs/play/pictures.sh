#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pictures drawn without a display match the golden ones, and drawing does not change the state.
#   tests/programs/play/pictures.sh SOURCE VOXELIZE PLAY DISTANCE WORK [--write]
# --write replaces the golden pictures; check each before committing it.
set -euo pipefail
source=$1 voxelize=$2 play=$3 distance=$4 work=$5 write=${6:-}
golden=$source/tests/programs/play/golden
unset DISPLAY WAYLAND_DISPLAY
rm -rf "$work"
mkdir -p "$work"
"$source/data/scenes/bake.sh" "$work/scenes" "$voxelize" rope curtain cape cloth cloth-40 chair
cd "$work"
if ! "$play" scenes/rope.json --offscreen 16x16 --screenshot try.png --frame 0 --quiet 2>try.txt; then
    grep -q 'no EGL driver here\|draws nothing' try.txt || { cat try.txt; exit 1; }
    echo "skipped: $(cat try.txt)"
    exit 77
fi

# A walking character, and a chair as a distance field.
bake=$(dirname "$voxelize")/../bake-collider/selvage-bake-collider
"$bake" "$source/data/mannequin.glb" -o scenes/man.slv --end 0.2 --radius 0.03 --with-mesh --quiet
cat >scenes/man.json <<'TEXT'
{
  "softObjects": [{ "src": "cape.slv", "position": [0, 0.1, 0], "color": [60, 110, 150], "fixedSets": ["collar"] }],
  "modelPath": "man.slv",
  "colliders": [{ "type": "field", "src": "chair.slv", "center": [0.75, 0, 0] }],
  "cameraPos": [0.9, 1.5, 2.2]
}
TEXT

# A texture by the mesh's UVs: a letter that shows its orientation.
cp "$source/tests/programs/play/letter.png" scenes/letter.png
echo '{ "softObjects": [{ "src": "cape.slv", "texture": "letter.png", "fixedSets": ["collar"] }] }' >scenes/texture.json

# The same texture from the mesh's material.
{ echo "mtllib own.mtl"; echo "usemtl cloth"; cat "$source/data/cape.obj"; } >scenes/own.obj
printf 'newmtl cloth\nmap_Kd letter.png\n' >scenes/own.mtl
"$voxelize" scenes/own.obj --mode surface -o scenes/own.slv --quiet
echo '{ "softObjects": [{ "src": "own.slv", "fixedSets": ["collar"] }] }' >scenes/own.json

# A cloth at rest on a ball.
cat >scenes/ball.json <<'TEXT'
{
  "softObjects": [{ "src": "cloth-40.slv", "position": [-0.39, 0.66, -0.39], "color": [60, 110, 150] }],
  "colliders": [{ "type": "sphere", "center": [0, 0.35, 0], "radius": 0.3 }],
  "cameraPos": [0.5, 0.9, 1.2]
}
TEXT

# Particles without springs or triangles.
"$voxelize" --shape grid:1x1 --spacing 0.1 -o scenes/particle.slv --quiet
cat >scenes/free.json <<'TEXT'
{
  "softObjects": [{ "src": "particle.slv", "position": [-0.1, 0.5, -0.1], "collisionRadius": 0.05, "color": [70, 105, 170],
    "instances": { "count": [3, 1, 3], "spacing": [0.11, 0.11, 0.11] } }],
  "cameraPos": [0.3, 0.8, 0.9]
}
TEXT

failed=0
look() { # look NAME SCENE FRAME options…
    local name=$1 scene=$2 frame=$3 seen
    shift 3
    "$play" "scenes/$scene.json" --offscreen 144x108 --screenshot "$name.png" --frame "$frame" \
        --threads 1 --gl-debug --quiet "$@"
    if [ "$write" = --write ]; then
        cp "$name.png" "$golden/$name.png"
    elif ! seen=$("$distance" "$name.png" "$golden/$name.png" 1.5 24); then
        echo "$work/$name.png does not look like $golden/$name.png: $seen"
        failed=1
    fi
}

look cloth hanging-cloth 24
look smooth capes 30 --smooth --camera 0.9,1.4,1.9,0.2,1.1,0
look stretch hanging-cloth 24 --view stretch --camera 0.5,1.3,1.6,0,1.1,-0.2
look partitions hanging-cloth 8 --view partitions --camera 0.1,1.75,0.6,0,1.5,0.1
look constraints hanging-cloth 8 --view constraints --camera 0.1,1.75,0.6,0,1.5,0.1
look particles rope 30 --view particles --camera 0.1,1.4,0.5,0.05,1.3,0.1
look rope rope 30
look colors capes 8 --view colors --camera 0.6,1.35,1.3,0.1,1.25,0
look contacts ball 16 --contacts
look texture texture 4 --camera 0.3,1.2,-1.5,0,0.95,0
look model man 6
look free free 0
look collider-particles man 6 --colliders particles
[ "$write" = --write ] && exit 0

# A texture from the mesh gives the same picture as one from the scene.
"$play" scenes/own.json --offscreen 144x108 --screenshot own.png --frame 4 --camera 0.3,1.2,-1.5,0,0.95,0 \
    --threads 1 --gl-debug --quiet
"$distance" own.png texture.png 0.1 2 || { echo "the mesh's texture gives another picture"; failed=1; }

# Pictures, measurements and an export of one run: the numbers are those of a run that draws nothing.
numbers() { grep -o '"residual.*"maxStretch": [^,]*\|"hash": "[0-9a-f]*"' "$1"; }
"$play" scenes/rope.json --headless --frames 6 --threads 1 --quiet --report alone.report --export alone.csv
"$play" scenes/rope.json --offscreen 16x16 --frames 6 --threads 1 --quiet --png all --screenshot all.png \
    --report all.report --export all.csv --depfile all.d
cmp alone.csv all.csv && cmp all/frame-00006.png all.png && grep -q '^all.report:' all.d && grep -q rope.json all.d ||
    failed=1
diff <(numbers alone.report) <(numbers all.report) || { echo "the report of a run with pictures differs"; failed=1; }
"$play" scenes/rope.json --screenshot json.png --frames 6 --threads 1 --json | diff <(numbers alone.report) <(numbers -) ||
    { echo "--json of a run with pictures differs"; failed=1; }
if "$play" scenes/rope.json --offscreen 16x16 --frames 1 --screenshot same.png --report same.png 2>same.txt ||
    ! grep -q 'report and --screenshot name the same file' same.txt; then
    echo "one file for a report and a picture: $(cat same.txt)"
    failed=1
fi

# The same scene 10 km away gives the same picture, byte for byte.
cat >scenes/far.json <<'TEXT'
{
  "softObjects": [{ "src": "cape.slv", "position": [10000, 0.1, -10000], "color": [60, 110, 150], "fixedSets": ["collar"] }],
  "modelPath": "man.slv",
  "modelPosition": [10000, 0, -10000],
  "colliders": [{ "type": "field", "src": "chair.slv", "center": [10000.75, 0, -10000] }],
  "cameraPos": [10000.9, 1.5, -9997.8]
}
TEXT
"$play" scenes/far.json --offscreen 144x108 --screenshot far.png --frame 6 --threads 1 --gl-debug --quiet
cmp far.png model.png || { echo "a scene 10 km away gives another picture"; failed=1; }

# One sample per pixel: the same picture with harder edges.
"$play" scenes/hanging-cloth.json --offscreen 144x108 --screenshot one.png --frame 24 --threads 1 --gl-debug \
    --quiet --samples 1
"$distance" one.png cloth.png 3 60 || { echo "one sample per pixel gives another picture"; failed=1; }
if "$distance" one.png cloth.png 0.1 2 >one.txt; then echo "one sample per pixel is antialiased: $(cat one.txt)"; failed=1; fi

# Without an EGL driver the message says what to install.
status=0
__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere "$play" scenes/rope.json --offscreen 16x16 --screenshot no.png --frame 0 \
    2>no.txt || status=$?
[ "$status" = 5 ] && grep -q 'no EGL driver here.*apt install' no.txt && [ ! -e no.png ] || { cat no.txt; failed=1; }

# OpenGL 3.3 smooths by a geometry shader, not by tessellation.
MESA_GL_VERSION_OVERRIDE=3.3 "$play" scenes/capes.json --offscreen 144x108 --screenshot old.png --frame 30 \
    --threads 1 --gl-debug --smooth --camera 0.9,1.4,1.9,0.2,1.1,0 --quiet
"$distance" old.png smooth.png 1.5 24 || { echo "OpenGL 3.3 gives another picture"; failed=1; }

# The final state of a drawn run is that of the headless run, and every frame is written.
state() { sed -n 's/.*state \([0-9a-f]*\).*/\1/p'; }
drawn=$("$play" scenes/curtain.json --offscreen 64x48 --png frames --frames 6 --threads 2 | state)
plain=$("$play" scenes/curtain.json --headless --frames 6 --threads 1 | state)
if [ -z "$drawn" ] || [ "$drawn" != "$plain" ]; then
    echo "drawn: $drawn, headless: $plain"
    failed=1
fi
[ "$(ls frames | tr '\n' ' ')" = "frame-00001.png frame-00002.png frame-00003.png frame-00004.png frame-00005.png frame-00006.png " ] ||
    { ls frames; failed=1; }

# A screenshot at the end of a replay shows its last frame; a later frame is refused.
"$play" scenes/rope.json --headless --frames 3 --record input.txt --quiet
"$play" scenes/rope.json --offscreen 32x24 --replay input.txt --screenshot end.png --png replayed --quiet
cmp end.png replayed/frame-00003.png || failed=1
status=0
"$play" scenes/rope.json --offscreen 32x24 --replay input.txt --screenshot late.png --frame 4 2>late.txt || status=$?
[ "$status" = 1 ] && grep -q 'ends before frame 4' late.txt && [ ! -e late.png ] || { cat late.txt; failed=1; }

# Videos with ffmpeg; an error message without it.
if command -v ffmpeg >/dev/null; then
    "$play" scenes/rope.json --offscreen 63x47 --video rope.mp4 --gif rope.gif --frames 3 --quiet
    [ "$(head -c 8 rope.mp4 | tail -c 4)" = ftyp ] && [ "$(head -c 4 rope.gif)" = GIF8 ] && [ ! -e rope.mp4.part ] ||
        { ls -l rope.*; failed=1; }
fi
status=0
PATH=/nowhere "$play" scenes/rope.json --offscreen 32x32 --video none.mp4 --frames 1 --quiet 2>none.txt || status=$?
[ "$status" = 5 ] && grep -q 'need the program ffmpeg' none.txt && [ ! -e none.mp4 ] || { cat none.txt; failed=1; }
exit $failed
