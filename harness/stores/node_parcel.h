// What is under way between clients and nodes beside calls: news, noise, the end of a connection, what
// members tell each other. Parcels are recycled (NodeParcels), from run to run, too.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "harness/kernel/network.h"
#include "harness/stores/node.h"

namespace holdfast {

template <typename Types>
class NodeParcel final : public Message {
 public:
  // Who sends them and opens them.
  class Post {
   public:
    Post() = default;
    Post(const Post&) = delete;
    Post& operator=(const Post&) = delete;
    virtual ~Post() = default;
    virtual void unpack(const NodeParcel& parcel) = 0;
    // Whether the member would notice that the connection has ended.
    virtual bool has_something_of(std::size_t member, ConnectionId connection) const = 0;
  };

  struct Ending {};  // of the connection
  struct Murmur {
    typename Node<Types>::Noise noise;
  };

  std::size_t from = 0;  // the member that sent it, or else the one that it goes to
  std::size_t to = 0;
  ConnectionId on = no_connection;
  std::variant<typename Node<Types>::News, typename Node<Types>::Part, Ending, Murmur> content;
  bool is_to_member = false;
  bool is_noisy_news = false;

  void arrive() override { post_->unpack(*this); }
  void bounce() override {}
  ConnectionId connection() const override { return on; }
  bool is_noise() const override { return is_noisy_news || std::holds_alternative<Murmur>(content); }
  // The end of a connection, as TCP does, as long as there is something that it would end.
  bool is_sent_again() const override {
    return is_to_member && std::holds_alternative<Ending>(content) && post_->has_something_of(to, on);
  }

 private:
  template <typename>
  friend class NodeParcels;
  void recycle() override { is_used_ = false; }

  Post* post_ = nullptr;
  bool is_used_ = false;
};

template <typename Types>
class NodeParcels {
 public:
  using Parcel = NodeParcel<Types>;

  explicit NodeParcels(typename Parcel::Post& post) : post_(post) {}

  // A new run: nothing is under way.
  void begin() {
    for (const std::unique_ptr<Parcel>& parcel : parcels_) {
      parcel->forget_references();
      parcel->is_used_ = false;
    }
  }
  template <typename Content>
  Parcel& take_to_member(std::size_t from, std::size_t to, ConnectionId on, Content content) {
    Parcel& parcel = take();
    parcel.from = from;
    parcel.to = to;
    parcel.on = on;
    parcel.is_to_member = true;
    parcel.is_noisy_news = false;
    parcel.content = std::move(content);
    return parcel;
  }
  template <typename Content>
  Parcel& take_to_client(std::size_t from, ConnectionId on, Content content, bool is_noise) {
    Parcel& parcel = take();
    parcel.from = from;
    parcel.on = on;
    parcel.is_to_member = false;
    parcel.is_noisy_news = is_noise;
    parcel.content = std::move(content);
    return parcel;
  }

 private:
  Parcel& take() {
    for (const std::unique_ptr<Parcel>& parcel : parcels_) {
      if (!std::exchange(parcel->is_used_, true)) {
        return *parcel;
      }
    }
    parcels_.push_back(std::make_unique<Parcel>());
    parcels_.back()->post_ = &post_;
    parcels_.back()->is_used_ = true;
    return *parcels_.back();
  }

  typename Parcel::Post& post_;
  std::vector<std::unique_ptr<Parcel>> parcels_;
};

}  // namespace holdfast
