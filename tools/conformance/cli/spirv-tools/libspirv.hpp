// In place of SPIRV-Tools: validation runs the program that $DXIL_JIT_SPIRV_VAL names, and the text
// of a module is its number of words, since nobody reads it here.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

enum spv_target_env { SPV_ENV_VULKAN_1_3 };
enum spv_message_level_t { SPV_MSG_ERROR };
struct spv_position_t {};

namespace spvtools {
struct ValidatorOptions {
  bool scalar = false;
  void SetScalarBlockLayout(bool on) { scalar = on; }
};

class SpirvTools {
public:
  using Consumer = std::function<void(spv_message_level_t, const char *, const spv_position_t &,
                                      const char *)>;
  explicit SpirvTools(spv_target_env) {}
  void SetMessageConsumer(Consumer given) { consumer = std::move(given); }

  bool Disassemble(const uint32_t *, size_t words, std::string *text, uint32_t) const {
    *text = std::to_string(words) + " words\n";
    return true;
  }

  bool Validate(const uint32_t *code, size_t words, const ValidatorOptions &options) const {
    const char *program = std::getenv("DXIL_JIT_SPIRV_VAL");
    char path[] = "/tmp/conformance-XXXXXX";
    int file = mkstemp(path);
    if (!program || file < 0) return say("no validator, or no file for it");
    bool written = write(file, code, words * 4) == ssize_t(words * 4);
    close(file);
    std::string command = std::string(program) + " --target-env vulkan1.3 " +
                          (options.scalar ? "--scalar-block-layout " : "") + path + " 2>&1";
    FILE *pipe = written ? popen(command.c_str(), "r") : nullptr;
    std::string said;
    char part[4096];
    while (pipe && fgets(part, sizeof part, pipe)) said += part;
    int status = pipe ? pclose(pipe) : -1;
    unlink(path);
    if (status == 0) return true;
    return say(said.empty() ? "the validator did not run" : said.c_str());
  }

private:
  bool say(const char *text) const {
    if (consumer) consumer(SPV_MSG_ERROR, "", {}, text);
    return false;
  }
  Consumer consumer;
};
} // namespace spvtools
