vim9script
# The public functions. Each script is loaded when it is first needed.

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/conflict.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/edits.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/sharing.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/terminal.vim'

# Starts with the first file, unless the option `auto_start` is off.
export def AutoStart()
  if config.Options().auto_start
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

# Accepts the proposal of the current tab, or else the oldest.
export def Accept()
  diff.Accept()
enddef

# Rejects the proposal of the current tab, or else the oldest.
export def Reject()
  diff.Reject()
enddef

# Goes to the oldest proposal; from a proposal to the next one.
export def Diff()
  diff.Show()
enddef

# Lets the user edit a proposal whose agent takes no edits: that of the current tab, or else the oldest.
export def Edit()
  diff.Edit()
enddef

# Lists the recovered edits.
export def Edits()
  edits.Show()
enddef

# Compares a buffer that has unsaved changes with its file, which holds an accepted change.
export def Merge()
  conflict.Merge()
enddef

# Shows an agent in a terminal of this Vim; hides it when the user is in it. `ide-companion run` accepts `agent`.
export def Run(agent: string, arguments: list<string> = [])
  terminal.Run(agent, arguments)
enddef

# Types a reference to lines of the current file into the prompt of the agent that was started last.
export def Send(first: number, last: number)
  terminal.Send(first, last)
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
