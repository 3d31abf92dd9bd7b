// The parts of OpenAI's API that models of dhyan can answer: models, completions, embeddings.
#include <chrono>
#include <nlohmann/json.hpp>

#include "explain/attention_map.h"
#include "server/float_array.h"
#include "server/own_api.h"
#include "server/route_handlers.h"
#include "server/text_translation.h"

namespace dhyan::server {

namespace {

constexpr long kMaxTokens = 2048;
constexpr long kMaxTexts = 16;

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

template <class Number>
Number between(const std::string& name, std::optional<Number> given, Number by_default, Number least, Number most) {
  if (!given) return by_default;
  if (*given >= least && *given <= most) return *given;
  throw BadRequest(cat(name, " is ", *given, ", expected ", least, " to ", most), name);
}

struct CompletionRequest {
  std::shared_ptr<const ServedModel> model;
  std::string prompt;
  GenerationOptions options;
  std::string id = {}, stop = {};
  bool echo = false;
};

CompletionRequest completion_request(const Service& service, const Call& call) {
  const Parameters& given = call.parameters;
  CompletionRequest request{.model = model_of(service, call, Task::kContinueText), .prompt = {}, .options = {}};
  request.model->writer();  // or it is refused
  const std::vector<std::string> prompts = given.texts("prompt");
  if (prompts.size() > 1) throw BadRequest("prompt is a list; expected one text", "prompt");
  if (!prompts.empty()) request.prompt = prompts.front();
  SamplingOptions& sampling = request.options.sampling;
  sampling.max_length = between<long>("max_tokens", given.integer("max_tokens"), 16, 1, kMaxTokens);
  sampling.temperature = between<double>("temperature", given.real("temperature"), 1, 0, 2);
  sampling.top_p = between<double>("top_p", given.real("top_p"), 1, 1e-6, 1);
  request.options.count = between<long>("n", given.integer("n"), 1, 1, kMaxTexts);
  request.options.seed = static_cast<std::uint64_t>(given.integer("seed").value_or(1));
  const std::vector<std::string> stops = given.texts("stop");
  if (stops.size() > 1) throw BadRequest("stop is a list; expected one text", "stop");
  if (!stops.empty()) request.stop = stops.front();
  request.echo = given.flag("echo").value_or(false);
  request.id = cat("cmpl-", std::chrono::system_clock::now().time_since_epoch().count());
  return request;
}

struct TextChoice {
  std::string text;
  std::size_t tokens = 0;
  bool stopped = false;  // at the text to stop at
};

JsonAnswer choice_json(const TextChoice& choice, std::size_t index, const JsonAnswer& finish_reason) {
  return {{"text", choice.text}, {"index", index}, {"logprobs", nullptr}, {"finish_reason", finish_reason}};
}

JsonAnswer completion_json(const CompletionRequest& request, JsonAnswer choices) {
  return {{"id", request.id},
          {"object", "text_completion"},
          {"created", seconds_now()},
          {"model", request.model->name()},
          {"choices", std::move(choices)}};
}

// The text before the one to stop at.
TextChoice cut_at_stop(TextChoice choice, const std::string& stop) {
  const std::size_t at = stop.empty() ? std::string::npos : choice.text.find(stop);
  if (at == std::string::npos) return choice;
  choice.text.resize(at);
  choice.stopped = true;
  return choice;
}

void answer(Call& call, const CompletionRequest& request, std::span<const Continued> texts) {
  const auto prompt_tokens = request.model->writer().tokenizer().encode(request.prompt).ids.size();
  std::size_t tokens = 0;
  JsonAnswer choices = JsonAnswer::array();
  for (const Continued& text : texts) {
    TextChoice choice = cut_at_stop({text.text, text.hypothesis.tokens.size()}, request.stop);
    if (request.echo) choice.text.insert(0, request.prompt);
    tokens += choice.tokens;
    choices.push_back(choice_json(choice, choices.size(), choice.stopped ? "stop" : "length"));
  }
  JsonAnswer body = completion_json(request, std::move(choices));
  body["usage"] = {
      {"prompt_tokens", prompt_tokens}, {"completion_tokens", tokens}, {"total_tokens", prompt_tokens + tokens}};
  call.answer_json(body);
}

// Sends what a text has grown by. A text may end in the middle of a character, or of what it stops at, which is held
// back until more is known.
class TextStream {
 public:
  TextStream(std::shared_ptr<Call> call, CompletionRequest request)
      : call_(std::move(call)), request_(std::move(request)) {}

  void begin() {
    call_->begin_events();
    if (request_.echo) send(request_.prompt);
  }

  void grow(const std::string& text) {
    if (ended_ || !text.starts_with(sent_)) return;
    const std::size_t stop = request_.stop.empty() ? std::string::npos : text.find(request_.stop);
    ended_ = stop != std::string::npos;
    std::size_t end = ended_ ? stop : text.size() - std::min(text.size(), held_back());
    while (end > sent_.size() && end < text.size() && (text[end] & 0xC0) == 0x80) --end;
    if (end <= sent_.size()) return;
    const std::string piece = text.substr(sent_.size(), end - sent_.size());
    sent_ += piece;
    send(piece);
  }

  void end(const std::string& text) {
    if (!ended_ && text.starts_with(sent_) && text.size() > sent_.size()) send(text.substr(sent_.size()));
    const JsonAnswer last = choice_json({}, 0, ended_ ? "stop" : "length");
    call_->event(json_text(completion_json(request_, JsonAnswer::array({last}))));
    call_->event("[DONE]");
    call_->end_events();
  }

 private:
  std::size_t held_back() const { return std::max<std::size_t>(request_.stop.size(), 4) - 1; }

  void send(const std::string& piece) {
    call_->event(json_text(completion_json(request_, JsonAnswer::array({choice_json({piece}, 0, nullptr)}))));
  }

  std::shared_ptr<Call> call_;
  CompletionRequest request_;
  std::string sent_;
  bool ended_ = false;
};

void stream_completion(Service& service, const std::shared_ptr<Call>& call, const CompletionRequest& request) {
  if (request.options.count > 1) throw BadRequest("a stream has one text; expected n to be 1", "n");
  const auto stream = std::make_shared<TextStream>(call, request);
  const auto text = std::make_shared<std::string>();
  const auto job = std::make_shared<Job>();
  job->work = [request, stream, text](const std::function<void()>& poll) {
    stream->begin();
    GenerationOptions options = request.options;
    options.sampling.poll = poll;
    options.wrote = [&](const std::string& so_far) { stream->grow(so_far); };
    *text = request.model->writer().write(request.prompt, options).front().text;
  };
  service.submit(call, job, [stream, text](Job&) { stream->end(*text); });
}

}  // namespace

// Extensions of OpenAI's list of models: tasks and attention of a model.
JsonAnswer capabilities_json(const ServedModel& model) {
  const Config& config = model.config();
  const AttentionUse use = model_kind(config).attention(config);
  JsonAnswer attends = JsonAnswer::array();
  if (use.cross != CrossAttention::kNone) attends.push_back(name_of(AttentionPlace::kCross));
  if (use.encoder) attends.push_back(name_of(AttentionPlace::kEncoder));
  if (use.decoder) attends.push_back(name_of(AttentionPlace::kDecoder));
  return {{"task", name_of(model.task())},     {"kind", config.model},
          {"source", model.source_language()}, {"target", model.target_language()},
          {"attends", std::move(attends)},     {"checkpoints", kept_checkpoints(model.folder())}};
}

void handle_models(Service& service, const std::shared_ptr<Call>& call) {
  JsonAnswer list = JsonAnswer::array();
  for (const auto& model : service.models()->all()) {
    JsonAnswer entry{{"id", model->name()}, {"object", "model"}, {"created", model->saved_at()}, {"owned_by", "dhyan"}};
    entry.update(capabilities_json(*model));
    list.push_back(std::move(entry));
  }
  call->answer_json(JsonAnswer{{"object", "list"}, {"data", std::move(list)}});
}

void handle_completions(Service& service, const std::shared_ptr<Call>& call) {
  const CompletionRequest request = completion_request(service, *call);
  service.admit(*call, 1);
  check_characters(*call, std::span(&request.prompt, 1));
  if (call->parameters.flag("stream").value_or(false)) return stream_completion(service, call, request);
  const auto texts = std::make_shared<std::vector<Continued>>();
  const auto job = std::make_shared<Job>();
  job->work = [request, texts](const std::function<void()>& poll) {
    GenerationOptions options = request.options;
    options.sampling.poll = poll;
    *texts = request.model->writer().write(request.prompt, options);
  };
  service.submit(call, job, [call, request, texts](Job&) { answer(*call, request, *texts); });
}

void handle_embeddings(Service& service, const std::shared_ptr<Call>& call) {
  const auto model = model_of(service, *call, Task::kFillGaps);
  const std::vector<std::string> texts = call->parameters.texts("input");
  if (texts.empty()) throw BadRequest("input is missing", "input");
  const std::string format = call->parameters.text("encoding_format").value_or("float");
  if (format != "float" && format != "base64") {
    throw BadRequest(cat("encoding_format is '", format, "', expected float or base64"), "encoding_format");
  }
  model->filler();  // or it is refused
  service.admit(*call, texts.size());
  check_characters(*call, texts);
  const auto vectors = std::make_shared<std::vector<std::vector<Real>>>();
  const auto job = std::make_shared<Job>();
  job->work = [model, texts, vectors](const std::function<void()>& poll) {
    *vectors = model->filler().embed(texts, poll);
  };
  service.submit(call, job, [call, model, texts, vectors, format](Job&) {
    JsonAnswer data = JsonAnswer::array();
    std::size_t tokens = 0;
    for (std::size_t i = 0; i < vectors->size(); ++i) {
      tokens += model->filler().tokenizer().encode(texts[i]).ids.size();
      const JsonAnswer vector = format == "float" ? JsonAnswer((*vectors)[i])
                                                  : JsonAnswer(base64_floats(std::span<const Real>((*vectors)[i])));
      data.push_back({{"object", "embedding"}, {"index", i}, {"embedding", vector}});
    }
    call->answer_json(JsonAnswer{{"object", "list"},
                                 {"data", std::move(data)},
                                 {"model", model->name()},
                                 {"usage", {{"prompt_tokens", tokens}, {"total_tokens", tokens}}}});
  });
}

}  // namespace dhyan::server
