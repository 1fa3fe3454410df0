// Who is at the other end of a connection over the loopback address: ports there are open to everybody.
#pragma once

namespace holdfast::live {

// False if the connection was made by a program of another user, who is not root either. One that is over
// already, or whose owner the kernel does not tell, is taken for ours.
bool is_of_our_user(int descriptor);

}  // namespace holdfast::live
