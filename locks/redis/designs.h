// The designs on plain Redis commands and scripts: one factory each. Their files say where they come
// from and what they get wrong.
#pragma once

#include <memory>

#include "locks/lock.h"

namespace holdfast {

std::unique_ptr<Lock> make_redis_setnx(LockSettings settings);
std::unique_ptr<Lock> make_redis_setnx_expire(LockSettings settings);
std::unique_ptr<Lock> make_redis_stamp_del(LockSettings settings);
std::unique_ptr<Lock> make_redis_getset(LockSettings settings);
std::unique_ptr<Lock> make_redis_getset_seconds(LockSettings settings);
std::unique_ptr<Lock> make_redis_getset_null(LockSettings settings);
std::unique_ptr<Lock> make_redis_setex(LockSettings settings);
std::unique_ptr<Lock> make_redis_set_ex_no_nx(LockSettings settings);
std::unique_ptr<Lock> make_redis_lua_000(LockSettings settings);
std::unique_ptr<Lock> make_redis_px_del(LockSettings settings);
std::unique_ptr<Lock> make_redis_px_get_del(LockSettings settings);
std::unique_ptr<Lock> make_redis_px_cad(LockSettings settings);
std::unique_ptr<Lock> make_redis_px_cad_integer(LockSettings settings);
std::unique_ptr<Lock> make_redis_px_cad_wait(LockSettings settings);
std::unique_ptr<Lock> make_redis_value_reentrant(LockSettings settings);
std::unique_ptr<Lock> make_redis_hash_reentrant(LockSettings settings);
std::unique_ptr<Lock> make_redis_hash_reentrant_literal(LockSettings settings);
std::unique_ptr<Lock> make_redis_watchdog(LockSettings settings);
std::unique_ptr<Lock> make_redis_recursive_retry(LockSettings settings);
std::unique_ptr<Lock> make_redlock_majority(LockSettings settings);
std::unique_ptr<Lock> make_redlock(LockSettings settings);
std::unique_ptr<Lock> make_redlock_wall(LockSettings settings);

}  // namespace holdfast
