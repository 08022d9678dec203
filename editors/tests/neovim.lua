-- `rely lsp` in Neovim: RELY=PROGRAM nvim --headless --clean -c 'luafile neovim.lua'. Written for Neovim 0.7, and runs in later ones.
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
local path = folder .. "/diners.lts"
local FORK = "FORK = (get -> put -> FORK)."
local PHIL = "PHIL = (right.get -> left.get -> eat -> left.put -> right.put -> PHIL)."
local ALL = "||DINERS(N=2) = forall[i:0..N-1] (phil[i]:PHIL || {phil[i].left, phil[((i-1)+N)%N].right}::FORK)."

local step = "start"
local function fail(text)
  io.stderr:write("neovim: " .. step .. ": " .. text .. "\n")
  vim.cmd("cquit 1")
end
local function check(is_so, text)
  if not is_so then fail(text) end
end
local function wait(what, is_so)
  if not vim.wait(60000, is_so, 20) then fail(what .. " never comes") end
end

local function run()
  vim.fn.writefile({ FORK, PHIL, (ALL:gsub("PHIL", "PHILL")) }, path)
  vim.cmd("edit " .. path)
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({ name = "rely", cmd = { os.getenv("RELY"), "lsp" }, root_dir = folder })
  check(client and vim.lsp.buf_attach_client(buffer, client), "the server does not start")
  local function found(severity)
    return vim.diagnostic.get(buffer, severity and { severity = severity } or nil)
  end
  local function ask(method, line, column, more)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
    local answer = answers and answers[client]
    check(answer and answer.result, method .. " has no answer")
    return answer.result
  end
  local function text()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
  end

  step = "a mistake is found when the file is opened"
  wait("the diagnostic", function() return #found(vim.diagnostic.severity.ERROR) > 0 end)
  check(found()[1].lnum == 2, "it is at another line")

  step = "an edit mends it"
  vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { ALL })
  wait("a clean text", function() return #found() == 0 end)

  step = "names"
  local hover = ask("textDocument/hover", 1, 1)
  check(hover.contents.value:find("2 states"), vim.inspect(hover))
  local places = ask("textDocument/references", 2, 1, { context = { includeDeclaration = true } })
  check(#places == 3, vim.inspect(places))
  check(#ask("textDocument/documentSymbol", 1, 0) == 3, "there are not three symbols")
  vim.api.nvim_win_set_cursor(0, { 2, 1 })
  vim.lsp.buf.rename("THINKER")
  wait("the new name", function() return select(2, text():gsub("THINKER", "")) == 3 end)

  step = "verdicts come when the file is saved"
  vim.cmd("silent write")
  wait("the deadlock", function() return #found(vim.diagnostic.severity.WARN) > 0 end)
  check(found()[1].message:find("deadlock"), found()[1].message)
  local lenses = ask("textDocument/codeLens", 1, 0)
  check(lenses[1].command.title:find("deadlock ✗ 2 steps"), vim.inspect(lenses))

  step = "an edit makes them stale, and its undo fresh"
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "// A line above." })
  wait("a text without old verdicts", function() return #found() == 0 end)
  lenses = ask("textDocument/codeLens", 1, 0)
  check(lenses[1].command.title:find("^stale:"), vim.inspect(lenses))
  vim.api.nvim_buf_set_lines(buffer, 0, 1, false, {})
  wait("the old verdict", function() return #found(vim.diagnostic.severity.WARN) > 0 end)

  step = "the usual layout"
  vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { "FORK=(get->put->FORK) ." })
  vim.wait(200)
  local format = vim.lsp.buf.format or vim.lsp.buf.formatting_sync
  if vim.lsp.buf.format then format({ timeout_ms = 60000 }) else format(nil, 60000) end
  wait("the layout", function() return text():find(FORK, 1, true) end)

  step = "the end"
  vim.lsp.stop_client(client)
  wait("the end of the server", function() return vim.lsp.client_is_stopped(client) end)
  print("neovim: opened, mended, renamed, checked, gone stale, formatted")
end

local is_done, reason = pcall(run)
if not is_done then fail(tostring(reason)) end
vim.fn.delete(folder, "rf")
vim.cmd("qall!")
