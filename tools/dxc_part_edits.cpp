// Asks DXC's validator about every edit of one bit in the parts of containers:
//
//   c++ -O1 -w -std=c++17 -I"$(tools/get-dxc.sh)" tools/dxc_part_edits.cpp -o part_edits -ldl
//   ./part_edits "$(tools/get-dxc.sh)" FILE.dxil... >> frontend/tests/data/validate/part_edits.txt
//
// A line for each part has file, part, number of bits, and the bits that may be changed (3 or
// 8..12, without its end). Of the program only the header counts. The hash, which DXC does not
// look at, and modules for debugging and reflection are left out.
#include "dxcapi.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

IDxcUtils *utils;
IDxcValidator *validator;

void load(const std::string &folder) {
  void *library = dlopen((folder + "/libdxcompiler.so").c_str(), RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  auto create = reinterpret_cast<DxcCreateInstanceProc>(dlsym(library, "DxcCreateInstance"));
  create(CLSID_DxcUtils, __uuidof(IDxcUtils), reinterpret_cast<void **>(&utils));
  create(CLSID_DxcValidator, __uuidof(IDxcValidator), reinterpret_cast<void **>(&validator));
}

bool is_valid(const Bytes &container) {
  IDxcBlobEncoding *blob = nullptr;
  utils->CreateBlob(container.data(), static_cast<UINT32>(container.size()), 0, &blob);
  IDxcOperationResult *result = nullptr;
  HRESULT called = validator->Validate(blob, DxcValidatorFlags_InPlaceEdit, &result);
  HRESULT status = -1;
  if (result) {
    result->GetStatus(&status);
    result->Release();
  }
  blob->Release();
  return called == 0 && status == 0;
}

unsigned word(const Bytes &bytes, size_t at) {
  unsigned value;
  std::memcpy(&value, &bytes[at], 4);
  return value;
}

// What the processes that ask DXC tell this one.
struct Shared {
  size_t next;
  unsigned char accepted[1];
};

// Some edits end DXC, take gigabytes or do not end: such an edit counts as refused.
void judge(const Bytes &container, size_t start, size_t bits, Shared *shared) {
  while (shared->next < bits) {
    pid_t child = fork();
    if (child == 0) {
      rlimit memory = {3ull << 30, 3ull << 30};
      setrlimit(RLIMIT_AS, &memory);
      while (shared->next < bits) {
        alarm(5);
        size_t bit = shared->next;
        Bytes edited = container;
        edited[start + bit / 8] ^= 1 << bit % 8;
        shared->accepted[bit] = is_valid(edited);
        shared->next = bit + 1;
      }
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (shared->next < bits) ++shared->next;
  }
}

}  // namespace

int main(int count, char **arguments) {
  if (count < 3) return 2;
  load(arguments[1]);
  for (int i = 2; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    Bytes container((std::istreambuf_iterator<char>(file)), {});
    // The digest of an edited container would be another.
    std::memset(&container[4], 0, 16);
    if (!is_valid(container)) {
      std::fprintf(stderr, "%s: DXC refuses it as it is\n", arguments[i]);
      continue;
    }
    for (unsigned part = 0; part < word(container, 28); ++part) {
      size_t at = word(container, 32 + 4 * part);
      std::string name(reinterpret_cast<char *>(&container[at]), 4);
      if (name == "STAT" || name == "ILDB" || name == "HASH") continue;
      size_t bits = 8 * (name == "DXIL" ? 24 : word(container, at + 4));
      void *memory = mmap(nullptr, sizeof(Shared) + bits, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      auto *shared = static_cast<Shared *>(memory);
      judge(container, at + 8, bits, shared);
      std::printf("%s %s %zu", arguments[i], name.c_str(), bits);
      for (size_t bit = 0; bit < bits; ++bit) {
        size_t from = bit;
        while (bit < bits && shared->accepted[bit]) ++bit;
        if (bit == from + 1) std::printf(" %zu", from);
        if (bit > from + 1) std::printf(" %zu..%zu", from, bit);
      }
      std::puts("");
      std::fflush(stdout);
      munmap(memory, sizeof(Shared) + bits);
    }
  }
}
