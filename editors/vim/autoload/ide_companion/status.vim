vim9script
# The status that the server sends: connected agents, open proposals and the variables of terminals.

import autoload 'ide_companion/event.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/say.vim'

const nothing = {port: 0, sessions: [], diffs: [], env: {}, ahead: [], line: ''}
var current: dict<any> = nothing
# The former values of the variables that we have set; null for a new variable.
var before: dict<any> = {}

# Sets the variables by which programs that this Vim starts find this Vim.
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
  event.Emit('Status', {port: current.port, sessions: current.sessions, diffs: current.diffs})
  quiet.When(quiet.IsCalm, () => {
    redrawstatus!
  })
enddef

# `companion/status`
export def Set(status: dict<any>)
  current = status
  SetEnv(status.env)
  Announce()
enddef

export def Clear()
  current = nothing
  SetEnv({})
  Announce()
enddef

# { port, sessions, diffs, env }; `port` is 0 when nothing runs.
export def Get(): dict<any>
  return current
enddef

# For a status line: connected agents, whether sharing is paused, the number of open proposals, and whether the rest of a
# turn is accepted ahead; empty without any.
# It has no percent signs, because some status lines evaluate them.
export def Component(): string
  return current.line->substitute('%', '', 'g')
enddef

# Shows the status in a message.
export def Show()
  say.Info(get(current, 'sentence', 'The companion is not running. Start it by :IdeCompanion start'))
enddef

defcompile
