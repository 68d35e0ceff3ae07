vim9script
# The public functions. Each script is loaded when it is first needed.

import autoload 'ide_companion/actions.vim'
import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/conflict.vim'
import autoload 'ide_companion/send.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/sharing.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/terminal.vim'

# Starts with the first file, unless the option `auto_start` is off.
export def AutoStart()
  if config.Options().auto_start && !server.IsOfGit()
    server.Start()
  endif
enddef

export def Start()
  server.Start()
enddef

export def Stop()
  server.Stop()
enddef

export def Restart()
  server.Restart()
enddef

# Agents receive no context of this project until Resume().
export def Pause()
  sharing.Switch('pause')
enddef

# Agents receive the context of this project again.
export def Resume()
  sharing.Switch('resume')
enddef

# Accepts the proposal of the current tab, or else the only one; goes to the oldest of several.
export def Accept()
  actions.Accept()
enddef

# Rejects the proposal of the current tab, or else the only one; goes to the oldest of several.
export def Reject()
  actions.Reject()
enddef

# Asks for a comment on lines of the proposal in the current tab.
export def Comment(first: number, last: number)
  actions.Comment(first, last)
enddef

# Accepts the proposal and sends the comments on it, to ask for more.
export def AskMore()
  actions.DecideWithComments('diffAccepted')
enddef

# Rejects the proposal and sends the comments on it, to say why.
export def SayWhy()
  actions.DecideWithComments('diffRejected')
enddef

# Lists the comments that no agent has received.
export def Comments()
  stored.Show('comments')
enddef

# Goes to the oldest proposal; from a proposal to the next one.
export def Diff()
  actions.Show()
enddef

# Goes to the proposal before; without one in this tab, to the oldest.
export def Previous()
  actions.Show(-1)
enddef

# Lists the proposals in the quickfix list.
export def List()
  actions.List()
enddef

# Lists the changes of the proposal in the location list.
export def Hunks()
  actions.Hunks()
enddef

# Accepts all proposals after one question.
export def AcceptAll()
  stored.ActOnWaiting('accept')
enddef

# Rejects all proposals after one question.
export def RejectAll()
  stored.ActOnWaiting('reject')
enddef

# Accepts all that wait of the agent whose proposal is current, after one question.
export def AcceptRest()
  actions.Act('accept-agent')
enddef

# Accepts what that agent proposes until its turn ends, after one question. `stop_at` are patterns of files that wait for
# the user all the same, as in a `.gitignore`.
export def AcceptAhead(stop_at: list<string> = [])
  actions.Act('accept-ahead', stop_at)
enddef

# From now on the user decides again.
export def StopAhead()
  stored.ActOnWaiting('stop-ahead')
enddef

# Lists what was decided earlier; only decisions whose file, agent or outcome holds `wanted`.
export def History(wanted = '')
  stored.Show('history', wanted)
enddef

# Lets the user edit a proposal whose agent takes no edits: that of the current tab, or else the oldest.
export def Edit()
  actions.Edit()
enddef

# Lists the recovered edits.
export def Edits()
  stored.Show('edits')
enddef

# Compares a buffer that has unsaved changes with its file, which holds an accepted change.
export def Merge()
  conflict.Merge()
enddef

# Shows an agent in a terminal of this Vim; hides it when the user is in it. `ide-companion run` accepts `agent`, without
# `:2` for a second terminal. By default it is the one that was shown last, or the user chooses.
export def Run(agent = '', arguments: list<string> = [])
  terminal.Run(agent, arguments)
enddef

# The same with the agent's last session of this folder.
export def Continue(agent = '')
  terminal.Continue(agent)
enddef

# Hides the terminal of an agent where the tab shows it, and shows it otherwise.
export def Toggle(agent = '')
  terminal.Toggle(agent)
enddef

# Goes to the terminal of an agent, and from there back.
export def Focus(agent = '')
  terminal.Focus(agent)
enddef

# Hides the terminals of all agents in this tab.
export def Hide()
  terminal.Hide()
enddef

# Puts a reference into an agent's prompt: to lines of the current file, or to what netrw shows on these lines.
export def Send(first: number, last: number)
  send.Lines(first, last)
enddef

# The same for files and folders.
export def SendPaths(paths: list<string>)
  send.Paths(paths)
enddef

# Types the diagnostics of lines of the current file into an agent's prompt.
export def SendDiagnostics(first: number, last: number)
  send.Diagnostics(first, last)
enddef

# Types a text into an agent's prompt; an empty one is asked for. `lines`, the first and the last one of the current
# file, puts a reference before it.
export def SendText(words = '', lines: list<number> = [])
  send.Text(words, lines)
enddef

# { port, sessions: list of { agent, connectedAt }, diffs: list of { id, agent, filePath, openedAt }, paused }; `port` is
# 0 when nothing runs.
export def Status(): dict<any>
  const now = status.Get()
  return {port: now.port, sessions: deepcopy(now.sessions), diffs: deepcopy(now.diffs), paused: get(now, 'paused', false)}
enddef

# For a status line: the connected agents, and the number of open proposals in parentheses.
export def Statusline(): string
  return status.Component()
enddef
