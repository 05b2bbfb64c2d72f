// In place of SPIRV-Cross, whose GLSL nobody reads here: each call says that it failed.
#pragma once
#include <cstddef>
#include <cstdint>

typedef uint32_t SpvId;
typedef struct spvc_context_s *spvc_context;
typedef struct spvc_parsed_ir_s *spvc_parsed_ir;
typedef struct spvc_compiler_s *spvc_compiler;
typedef struct spvc_compiler_options_s *spvc_compiler_options;
enum spvc_result { SPVC_SUCCESS = 0, SPVC_ERROR_UNSUPPORTED_SPIRV = -2 };
enum { SPVC_FALSE = 0, SPVC_TRUE = 1, SPVC_BACKEND_GLSL = 1, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP = 1 };
enum { SPVC_COMPILER_OPTION_GLSL_ES, SPVC_COMPILER_OPTION_GLSL_VERSION,
       SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS };

#define NO_GLSL(name) \
  template <typename... Any> static inline spvc_result name(Any...) { \
    return SPVC_ERROR_UNSUPPORTED_SPIRV; \
  }
NO_GLSL(spvc_context_create)
NO_GLSL(spvc_context_parse_spirv)
NO_GLSL(spvc_context_create_compiler)
NO_GLSL(spvc_compiler_create_compiler_options)
NO_GLSL(spvc_compiler_options_set_bool)
NO_GLSL(spvc_compiler_options_set_uint)
NO_GLSL(spvc_compiler_install_compiler_options)
NO_GLSL(spvc_compiler_compile)
#undef NO_GLSL
static inline void spvc_context_destroy(spvc_context) {}
