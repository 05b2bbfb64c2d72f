"""The native part; use the classes of ``dxil_jit`` instead."""

from typing import List, Optional, Sequence, Tuple, Union

__version__: str

_Binding = Tuple[str, str, bytes, Optional[Tuple[int, int, int, int, int]], Optional[str]]
_Description = Tuple[str, int, str, str, str, str]

class Shader:
    def __new__(cls, bytes: bytes, class_instances: Sequence[str]) -> Shader: ...
    def container(self) -> bytes: ...
    def reflect(self) -> str: ...
    def disassemble(self) -> str: ...
    def translate(self, target: str, entry: Optional[str], vulkan: str) -> Union[bytes, str]: ...

class Device:
    def __new__(
        cls, backend: str, index: int, timeout: float, threads: Optional[int]
    ) -> Device: ...
    def describe(self) -> _Description: ...
    def run(
        self,
        shader: Shader,
        groups: Tuple[int, int, int],
        bindings: Sequence[_Binding],
        entry: Optional[str],
        iterations: int,
    ) -> Tuple[List[Tuple[str, bytes]], List[Tuple[str, int]], List[float]]: ...

def operations() -> str: ...
def list_devices(backend: str) -> List[_Description]: ...
def machine_code(
    shaders: Sequence[bytes],
    gpus: Sequence[str],
    entry: Optional[str],
    root_signature: Optional[bytes],
    texts: bool,
    source_lines: bool,
    timeout: float,
    worker: Tuple[str, Sequence[str]],
) -> str: ...
def machine_code_gpus() -> List[Tuple[str, List[str], str, bool]]: ...
def serve_machine_code() -> None: ...
