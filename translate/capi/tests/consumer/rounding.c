/* Needs a function of the mathematical library. */
#include <math.h>

long rounded(float number)
{
    return lroundf(number);
}
