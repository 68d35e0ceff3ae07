vim9script
# The public functions, for status lines and for scripts. Everything else is a subcommand of :IdeCompanion.

import autoload 'ide_companion/status.vim'

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

defcompile
