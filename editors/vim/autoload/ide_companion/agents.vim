vim9script
# The agents that can be started, as the server names them: { name, displayName, command, resumeArguments }, the last one
# where there are any. Known from the first start on.

var agents: list<dict<any>> = []

export def Set(all: list<dict<any>>)
  agents = all
enddef

export def All(): list<dict<any>>
  return agents
enddef

# The one that `ide-companion run` starts by this name; empty when it is unknown.
export def Named(name: string): dict<any>
  return agents->copy()->filter((_, agent) => agent.name ==# name)->get(0, {})
enddef
