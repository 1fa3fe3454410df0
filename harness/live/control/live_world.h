// Everything of one live run: its servers, proxies, clients and their mirror, and how they are kept together.
//
// Inside of LiveRun; see live_run.h for what it does. Its methods stand in three files: setting up and
// running (live_world.cpp), the real world following the mirror (live_world_follow.cpp), and what comes in
// from clients and proxies (live_world_hear.cpp).
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/checks.h"
#include "harness/live/control/doors.h"
#include "harness/live/control/live_process.h"
#include "harness/live/control/live_request.h"
#include "harness/live/control/mirror.h"
#include "harness/live/control/pace.h"
#include "harness/live/protocol/setup_message.h"
#include "harness/machine/clock/clock_page.h"
#include "harness/machine/clock/verified_launch.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/run/report.h"
#include "harness/stores/live_servers.h"
#include "harness/stores/storage/storage_service.h"

namespace holdfast::live {

// Everything of one run. Members are destroyed from the last to the first, so each may refer to those above.
struct LiveWorld final : StepObserver, EventSink, ResetListener, DoorObserver {
  // A client process, through its lives.
  struct Client final : ProcessListener {
    Client(LiveWorld& its_world, ProcessId its_process, std::size_t its_number)
        : world(its_world), process(its_process), number(its_number) {}
    void on_crash() override;
    void on_restart() override;

    LiveWorld& world;
    ProcessId process;
    std::size_t number;
    std::uint32_t lives = 0;  // how many it has begun
    bool is_prepared = false;
    bool is_started = false;  // in its first life, at its time
    bool has_begun = false;   // a server has executed something for it, or it knows how its first call ended
    bool is_done = false;
    bool is_paused = false;
    bool reports_steps = false;
    bool has_answered = true;  // the last ping
    std::vector<Door*> doors;  // thread by thread: to each server, then to storage
    std::unique_ptr<ClockPage> page;
    std::unique_ptr<VerifiedLaunch> launch;
    std::int64_t wall_at_launch_ns = 0;  // of its page
    std::unique_ptr<LiveProcess> program;
  };
  // The process of a server.
  struct Node final : ProcessListener {
    Node(LiveWorld& its_world, std::size_t its_number) : world(its_world), number(its_number) {}
    void on_crash() override { world.servers->kill(number); }
    void on_restart() override { world.servers->start(number); }
    LiveWorld& world;
    std::size_t number;
    bool is_paused = false;
  };

  explicit LiveWorld(const LiveRequest& its_request);
  ~LiveWorld() override { shut_down(); }

  RunReport run();
  void shut_down();

  // Setting up.
  void start_recording();
  void start_servers();
  void start_own_servers();
  TargetServers& targets();
  // In sentences.
  std::string name_of_server(int server) const;
  void open_doors(Client& client);
  SetupMessage setup_of(const Client& client) const;
  void lead_astray(Client& client) const;
  void launch(Client& client);
  Duration start_of(const Client& client) const;
  void start_together();

  // While it runs.
  Duration now() const { return std::chrono::steady_clock::now() - started_at; }
  void turn();
  void start_due();
  void schedule_turn();
  RunEnd wait_for_end();
  void require_answers();
  void require_servers();
  void require_servers_at_the_end();
  bool is_over() const;

  // The real world follows the mirror.
  void follow_mirror(const Step* step = nullptr);
  void follow_pauses();
  void follow_primaries();
  void follow_replication();
  void follow_links(const Step* step);
  void follow_clocks();
  void follow_clock(Client& client);

  // What comes in.
  void hear_prepared(Client& client, const nlohmann::ordered_json& message);
  void verify_clock(Client& client, const nlohmann::ordered_json& message);
  void hear(Client& client, const nlohmann::ordered_json& message);
  // Counts the holds of all clients from 1, as a reader of the story does; the clients count each for itself.
  std::uint32_t session_number(std::uint32_t number_of_client);
  void hear_step(Client& client, const nlohmann::ordered_json& message);
  void on_call(const DoorOwner& owner, const Passing& passing, const CallText& call) override;
  void on_trouble(const std::string& sentence) override { throw LiveError(sentence); }
  void on_unreachable(const DoorOwner& owner, const boost::system::error_code& problem) override;
  void take_step(Step step);
  void on_step(const Step& step) override;
  void on_event(const Event& event, const History& events) override;
  void on_reset(ProcessId one, ProcessId other) override;
  void on_reset_of(ConnectionId connection, ProcessId one, ProcessId other) override;
  void on_stored(const DoorOwner& owner, const StorageRequest& request,
                 const StorageRegister::Decision& decision);

  ProcessId server_process(int server) const {
    return server == storage_server ? mirror.world.storage
                                    : mirror.world.servers().serving(static_cast<std::size_t>(server));
  }

  LiveRequest request;
  Pace pace;
  Scaled scaled;
  std::vector<FaultSpec> faults;
  bool moves_clocks = false;
  History history;
  Mirror mirror;
  Checks checks;
  std::string servers_text = "no server";
  std::uint64_t commands = 0;
  std::map<std::uint32_t, std::uint32_t> session_numbers;
  std::chrono::steady_clock::time_point started_at;
  bool is_running = false;

  std::optional<TemporaryDirectory> directory;
  boost::asio::io_context context{1};
  boost::asio::steady_timer timer{context};
  std::unique_ptr<UserServers> user_servers;  // instead of our own
  std::unique_ptr<LiveServers> servers;
  std::vector<std::unique_ptr<Node>> nodes;
  std::unique_ptr<StorageService> storage;
  std::vector<std::unique_ptr<Door>> doors;
  std::vector<std::unique_ptr<Client>> clients;
};

}  // namespace holdfast::live
