// SPDX-License-Identifier: Apache-2.0
// CLI11 does the parsing; this file says the options once, and turns CLI11's exceptions into
// Errors.
#include "cli/options.hpp"

#include "uplift/core/version.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace uplift::cli {
namespace {

constexpr std::size_t kHelpColumn = 26;

constexpr std::array<std::pair<std::string_view, Format>, 4> kFormats = {
    {{"text", Format::kText},
     {"json", Format::kJson},
     {"csv", Format::kCsv},
     {"md", Format::kMarkdown}}};

constexpr const char* kRootFooter =
    R"(Example:
  uplift advise trace.json.gz --to a100-sxm4-80gb,h100-sxm5-80gb

Exit codes: 0 answered, 1 failed (input, output), 2 wrong usage, 3 no usable GPU or driver.
'uplift COMMAND --help' has the options of one command.)";

constexpr const char* kCommonFooter =
    R"(Also: --format text|json|csv|md, -o FILE, --quiet, --verbose, --no-color, --seed N,
--keep-paths; 'uplift --help' explains them.)";

/// As CLI11's, with the common options named below those of a subcommand.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kHelpColumn); }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return app->get_description() + "\n\n" + make_usage(app, std::move(name)) +
           make_positionals(app) + make_subcommands(app, mode) + make_groups(app, mode) + "\n" +
           make_footer(app);
  }

  std::string make_footer(const CLI::App* app) const override {
    const std::string own = app->get_footer();
    if (app->get_parent() == nullptr) return own + "\n";
    return (own.empty() ? "" : own + "\n\n") + kCommonFooter + "\n";
  }
};

std::optional<Format> parse_format(std::string_view text) {
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const auto& row) { return row.first == text; });
  if (found == kFormats.end()) return std::nullopt;
  return found->second;
}

// A validator of CLI11 returns what is wrong, or nothing.
std::string check_format(const std::string& text) {
  if (parse_format(text)) return {};
  const std::string formats = "use text, json, csv or md";
  if (text == "html") return "html is not built yet; " + formats;
  return "there is no format '" + text + "'; " + formats;
}

std::string check_seed(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  return "'" + text + "' is not a whole number; give one from 0 to 18446744073709551615";
}

std::string check_not_empty(const std::string& text) {
  return text.empty() ? "the file name is empty; name a file, or leave -o out for stdout" : "";
}

void declare_common_options(CLI::App& app, CommonOptions& options) {
  const auto last = CLI::MultiOptionPolicy::TakeLast;
  app.add_option_function<std::string>(
         "--format",
         [&options](const std::string& text) {
           options.format = parse_format(text).value_or(Format::kText);
           options.format_chosen = true;
         },
         "text, json, csv or md (default: text; predict: csv)")
      ->option_text("FORMAT")
      ->multi_option_policy(last)
      ->check(check_format);
  app.add_option("-o,--output", options.output, "write the answer there (default: stdout)")
      ->option_text("FILE")
      ->multi_option_policy(last)
      ->check(check_not_empty);
  app.add_flag("-q,--quiet", options.quiet, "no warnings, no progress");
  app.add_flag("-v,--verbose", options.verbose, "say more about how the answer came about");
  app.add_flag("--no-color", options.no_color,
               "no colour (default: on a terminal, unless NO_COLOR)");
  app.add_option("--seed", options.seed, "for whatever is drawn at random (default: 1)")
      ->option_text("N")
      ->multi_option_policy(last)
      ->check(check_seed);
  app.add_flag("--keep-paths", options.keep_paths,
               "full paths in the answer (default: file names)");
}

std::string version_line() {
  std::string line = "uplift " + std::string(version());
  if (!git_hash().empty()) line += " (" + std::string(git_hash()) + ")";
  return line;
}

/// Levenshtein distance: what it takes to make `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

std::string help_hint(const CLI::App* subcommand) {
  const std::string name = subcommand == nullptr ? "" : " " + subcommand->get_name();
  return "see 'uplift" + name + " --help'";
}

Error usage(std::string seen, std::string advice) {
  return {ErrorKind::kUsage, "", std::move(seen), std::move(advice)};
}

Error unknown_command(const std::string& name) {
  std::string list;
  for (const Command& command : commands()) {
    if (edit_distance(name, command.name) <= 2) {
      return usage("unknown command '" + name + "'",
                   "did you mean '" + std::string(command.name) + "'?");
    }
    list += (list.empty() ? "" : ", ") + std::string(command.name);
  }
  return usage("unknown command '" + name + "'", "commands are " + list);
}

/// CLI11's sentences, with what to do where it says only what is wrong.
Error parse_error(const CLI::ParseError& error, const CLI::App* subcommand) {
  std::string seen = error.what();
  if (seen.ends_with(" missing")) {  // `--output: 1 required TEXT missing`
    seen = seen.substr(0, seen.find(':')) + " needs a value";
  }
  return usage(seen, seen.find("; ") == std::string::npos ? help_hint(subcommand) : "");
}

}  // namespace

Result<Action> parse_command_line(int argc, char** argv, Console& console) {
  CLI::App app("What would another NVIDIA GPU do for my workload, and is it worth it?", "uplift");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("-V,--version", version_line(), "print the version and exit");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  declare_common_options(app, console.options);
  app.require_subcommand(0, 1);
  app.allow_extras();  // told below, in our own words

  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : commands()) {
    CLI::App* subcommand = app.add_subcommand(std::string(command.name), std::string(command.help));
    subcommand->group("Commands");
    subcommand->allow_extras(false);
    subcommand->fallthrough();  // common options may stand behind the subcommand, too
    actions.emplace_back(subcommand, command.declare(*subcommand));
  }

  app.footer(kRootFooter);  // after the subcommands, which would inherit it

  const auto chosen = [&]() -> const CLI::App* {
    const auto list = app.get_subcommands();
    return list.empty() ? nullptr : list.front();
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (auto printed = print_to_stdout(app.help()); !printed) return failure(printed.error());
    return Action();
  } catch (const CLI::CallForVersion&) {
    if (auto printed = print_to_stdout(version_line() + "\n"); !printed) {
      return failure(printed.error());
    }
    return Action();
  } catch (const CLI::ParseError& error) {
    return failure(parse_error(error, chosen()));
  }

  if (const char* no_color = std::getenv("NO_COLOR"); no_color != nullptr && *no_color != '\0') {
    console.options.no_color = true;  // https://no-color.org
  }
  if (const auto extras = app.remaining(true); !extras.empty()) {
    const std::string& first = extras.front();
    if (first.starts_with('-')) {
      return failure(usage("unknown option '" + first + "'", help_hint(chosen())));
    }
    if (chosen() == nullptr) return failure(unknown_command(first));
    return failure(usage("unexpected argument '" + first + "'", help_hint(chosen())));
  }
  for (auto& [subcommand, action] : actions) {
    if (subcommand->parsed()) return std::move(action);
  }
  // As ripgrep and others do: help for the person, an exit code for the script.
  print_to_stderr(app.help());
  return failure(usage("no command given", "choose one of those above"));
}

}  // namespace uplift::cli
