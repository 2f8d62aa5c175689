/* Wine 8 lacks this library of Windows, from which Rust takes the seed of its hash maps. No result depends on it. */
#include <stddef.h>

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t count)
{
    static unsigned long long state = 88172645463325252ULL;
    for (size_t k = 0; k < count; k++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[k] = (unsigned char)(state >> 24);
    }
    return 1;
}
