// SPDX-License-Identifier: MIT
// OpenGL's functions, found through whatever made the context: GLFW, EGL and OSMesa each have their own
// way to look them up, and this list serves all three. A loader of our own, since GLEW asks for a GLX
// display before it finds anything, which an off-screen context does not have.
#ifndef SLV_PLAYER_GL_H
#define SLV_PLAYER_GL_H

#include "formats/result.h"

#include <GL/glcorearb.h>
#include <stdbool.h>
#include <stddef.h>

// Everything of OpenGL 3.3 core that the player calls.
#define SLV_GL_FUNCTIONS(DO)                                                                       \
    DO(ACTIVETEXTURE, ActiveTexture)                                                               \
    DO(ATTACHSHADER, AttachShader)                                                                 \
    DO(BEGINTRANSFORMFEEDBACK, BeginTransformFeedback)                                             \
    DO(BINDBUFFER, BindBuffer)                                                                     \
    DO(BINDBUFFERBASE, BindBufferBase)                                                             \
    DO(BINDFRAMEBUFFER, BindFramebuffer)                                                           \
    DO(BINDSAMPLER, BindSampler)                                                                   \
    DO(BINDTEXTURE, BindTexture)                                                                   \
    DO(BINDVERTEXARRAY, BindVertexArray)                                                           \
    DO(BLENDFUNC, BlendFunc)                                                                       \
    DO(BUFFERDATA, BufferData)                                                                     \
    DO(BUFFERSUBDATA, BufferSubData)                                                               \
    DO(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus)                                             \
    DO(CLEAR, Clear)                                                                               \
    DO(CLEARCOLOR, ClearColor)                                                                     \
    DO(CLIENTWAITSYNC, ClientWaitSync)                                                             \
    DO(COMPILESHADER, CompileShader)                                                               \
    DO(COPYBUFFERSUBDATA, CopyBufferSubData)                                                       \
    DO(CREATEPROGRAM, CreateProgram)                                                               \
    DO(CREATESHADER, CreateShader)                                                                 \
    DO(DELETEBUFFERS, DeleteBuffers)                                                               \
    DO(DELETEFRAMEBUFFERS, DeleteFramebuffers)                                                     \
    DO(DELETEPROGRAM, DeleteProgram)                                                               \
    DO(DELETESAMPLERS, DeleteSamplers)                                                             \
    DO(DELETESHADER, DeleteShader)                                                                 \
    DO(DELETESYNC, DeleteSync)                                                                     \
    DO(DELETETEXTURES, DeleteTextures)                                                             \
    DO(DELETEVERTEXARRAYS, DeleteVertexArrays)                                                     \
    DO(DEPTHFUNC, DepthFunc)                                                                       \
    DO(DEPTHMASK, DepthMask)                                                                       \
    DO(DISABLE, Disable)                                                                           \
    DO(DRAWARRAYS, DrawArrays)                                                                     \
    DO(DRAWARRAYSINSTANCED, DrawArraysInstanced)                                                   \
    DO(DRAWBUFFER, DrawBuffer)                                                                     \
    DO(DRAWBUFFERS, DrawBuffers)                                                                   \
    DO(DRAWELEMENTS, DrawElements)                                                                 \
    DO(ENABLE, Enable)                                                                             \
    DO(ENABLEVERTEXATTRIBARRAY, EnableVertexAttribArray)                                           \
    DO(ENDTRANSFORMFEEDBACK, EndTransformFeedback)                                                 \
    DO(FENCESYNC, FenceSync)                                                                       \
    DO(FINISH, Finish)                                                                             \
    DO(FLUSH, Flush)                                                                               \
    DO(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                 \
    DO(GENBUFFERS, GenBuffers)                                                                     \
    DO(GENERATEMIPMAP, GenerateMipmap)                                                             \
    DO(GENFRAMEBUFFERS, GenFramebuffers)                                                           \
    DO(GENSAMPLERS, GenSamplers)                                                                   \
    DO(GENTEXTURES, GenTextures)                                                                   \
    DO(GENVERTEXARRAYS, GenVertexArrays)                                                           \
    DO(GETBUFFERSUBDATA, GetBufferSubData)                                                         \
    DO(GETERROR, GetError)                                                                         \
    DO(GETINTEGERV, GetIntegerv)                                                                   \
    DO(GETMULTISAMPLEFV, GetMultisamplefv)                                                         \
    DO(GETPROGRAMINFOLOG, GetProgramInfoLog)                                                       \
    DO(GETPROGRAMIV, GetProgramiv)                                                                 \
    DO(GETSHADERINFOLOG, GetShaderInfoLog)                                                         \
    DO(GETSHADERIV, GetShaderiv)                                                                   \
    DO(GETSTRING, GetString)                                                                       \
    DO(GETSTRINGI, GetStringi)                                                                     \
    DO(GETUNIFORMBLOCKINDEX, GetUniformBlockIndex)                                                 \
    DO(GETUNIFORMLOCATION, GetUniformLocation)                                                     \
    DO(LINKPROGRAM, LinkProgram)                                                                   \
    DO(PIXELSTOREI, PixelStorei)                                                                   \
    DO(POLYGONOFFSET, PolygonOffset)                                                               \
    DO(READBUFFER, ReadBuffer)                                                                     \
    DO(READPIXELS, ReadPixels)                                                                     \
    DO(SAMPLERPARAMETERI, SamplerParameteri)                                                       \
    DO(SCISSOR, Scissor)                                                                           \
    DO(SHADERSOURCE, ShaderSource)                                                                 \
    DO(TEXBUFFER, TexBuffer)                                                                       \
    DO(TEXIMAGE2D, TexImage2D)                                                                     \
    DO(TEXIMAGE2DMULTISAMPLE, TexImage2DMultisample)                                               \
    DO(TEXPARAMETERF, TexParameterf)                                                               \
    DO(TEXPARAMETERI, TexParameteri)                                                               \
    DO(TRANSFORMFEEDBACKVARYINGS, TransformFeedbackVaryings)                                       \
    DO(UNIFORM1F, Uniform1f)                                                                       \
    DO(UNIFORM1I, Uniform1i)                                                                       \
    DO(UNIFORM2F, Uniform2f)                                                                       \
    DO(UNIFORM2FV, Uniform2fv)                                                                     \
    DO(UNIFORM4F, Uniform4f)                                                                       \
    DO(UNIFORMBLOCKBINDING, UniformBlockBinding)                                                   \
    DO(UNIFORMMATRIX4FV, UniformMatrix4fv)                                                         \
    DO(USEPROGRAM, UseProgram)                                                                     \
    DO(VERTEXATTRIBPOINTER, VertexAttribPointer)                                                   \
    DO(VERTEXATTRIBDIVISOR, VertexAttribDivisor)                                                   \
    DO(VIEWPORT, Viewport)                                                                         \
    DO(WAITSYNC, WaitSync)

// Later additions, NULL where the driver has none.
#define SLV_GL_OPTIONAL_FUNCTIONS(DO)                                                              \
    DO(DEBUGMESSAGECALLBACK, DebugMessageCallback)                                                 \
    DO(DEBUGMESSAGECONTROL, DebugMessageControl)                                                   \
    DO(PATCHPARAMETERI, PatchParameteri)

#define SLV_GL_DECLARE(TYPE, name) extern PFNGL##TYPE##PROC gl##name;
SLV_GL_FUNCTIONS(SLV_GL_DECLARE)
SLV_GL_OPTIONAL_FUNCTIONS(SLV_GL_DECLARE)
#undef SLV_GL_DECLARE

typedef void (*slv_gl_function)(void);
typedef slv_gl_function (*slv_gl_finder)(const char *name);

typedef struct slv_gl_info {
    int version; // 330, 450, …
    bool tessellation;
    bool software;   // drawn on the processor
    bool debug;      // errors are counted (slv_gl_errors)
    char driver[96]; // "llvmpipe (LLVM 15.0.6, 256 bits)"
} slv_gl_info;

// After a context has been made current: finds everything, and refuses what is older than 3.3 with a
// sentence that says what is missing. With `debug` the driver's complaints are kept.
slv_result slv_gl_load(slv_gl_finder find, bool debug, slv_gl_info *info, slv_error *error);

// A context as the system knows it; zeros where it does not say.
typedef struct slv_gl_native {
    void *context, *display;
    bool egl; // else GLX
} slv_gl_native;

// How many errors OpenGL has reported since the context was made; *first (may be NULL) is the first.
unsigned slv_gl_errors(const char **first);

#endif
