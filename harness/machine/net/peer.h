// Who is at the other end of a connection over the loopback address: ports there are open to everybody.
#pragma once

namespace holdfast::live {

// False if the connection was made by a program of another user, who is not root either. So is one that its
// maker has closed already: the kernel tells of no owner any more, and what was sent before can still be
// read. Where there is no table of connections, everybody is taken for ours.
bool is_of_our_user(int descriptor);

}  // namespace holdfast::live
