vim9script
# What the server has told of itself: who is connected, what waits, and the variables of terminals.

import autoload 'ide_companion/event.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/say.vim'

const nothing = {port: 0, sessions: [], diffs: [], env: {}}
var current: dict<any> = nothing
# The variables that are ours, and what they were before; null when they were not.
var before: dict<any> = {}
var when_ready: list<func()> = []

# Terminals and everything else that this Vim starts from now on find it, and no other one.
def SetEnv(env: dict<any>)
  for name in keys(before)
    if !has_key(env, name)
      setenv(name, remove(before, name))
    endif
  endfor
  for [name, value] in items(env)
    if !has_key(before, name)
      before[name] = getenv(name)
    endif
    setenv(name, value)
  endfor
enddef

def Announce()
  event.Tell('Status', {port: current.port, sessions: current.sessions, diffs: current.diffs})
  quiet.WhenCalm(() => {
    redrawstatus!
  })
enddef

# `companion/status`
export def Set(status: dict<any>)
  current = status
  SetEnv(status.env)
  Announce()
  const actions = when_ready
  when_ready = []
  for Action in actions
    Action()
  endfor
enddef

export def Clear()
  current = nothing
  when_ready = [] # what waited for this server is not to begin with another one, long after
  SetEnv({})
  Announce()
enddef

# { port, sessions, diffs, env }; `port` is 0 when nothing runs.
export def Get(): dict<any>
  return current
enddef

# Once terminals can be given the variables.
export def WhenReady(Action: func())
  if current.port > 0
    Action()
  else
    add(when_ready, Action)
  endif
enddef

def Names(): string
  return current.sessions->mapnew((_, session) => session.agent)->join(', ')
enddef

# For a status line: who is connected, whether sharing is paused, and how many proposals wait; empty when nobody is.
# Without percent signs: some status lines would run what follows one.
export def Component(): string
  const names = Names()->substitute('%', '', 'g')
  const paused = get(current, 'paused', false) ? (names == '' ? 'paused' : ' paused') : ''
  return names .. paused .. (empty(current.diffs) ? '' : printf(' (%d)', len(current.diffs)))
enddef

# Tells how things are.
export def Show()
  if current.port == 0
    say.Info('The companion is not running. Start it by :IdeCompanion start')
    return
  endif
  const connected = empty(current.sessions) ? 'nobody yet' : Names()
  const paused = get(current, 'paused', false) ? ' Paused: agents are sent nothing.' : ''
  say.Info(printf('Port %d. Connected: %s. Waiting for you: %d.', current.port, connected, len(current.diffs)) .. paused)
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
