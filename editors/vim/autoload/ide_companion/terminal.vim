vim9script
# Agents in terminals of this Vim. A terminal is named by its agent: `gemini`, and `gemini:2` for a second one.

import autoload 'ide_companion/agent_window.vim'
import autoload 'ide_companion/agents.vim'
import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/text.vim'

# By name: { buffer, folder }, the latter the one in which it was started.
var terminals: dict<dict<any>> = {}
# The one that was shown last. It receives what the user sends.
var latest = ''

# The number of its buffer; 0 when it was never started, or its buffer is gone.
def BufferOf(name: string): number
  const buffer = terminals->get(name, {})->get('buffer', 0)
  return bufexists(buffer) ? buffer : 0
enddef

def IsRunning(buffer: number): bool
  return buffer > 0 && term_getstatus(buffer) =~ 'running'
enddef

def AgentOf(name: string): string
  return matchstr(name, '^[^:]*')
enddef

# The name that people read.
def DisplayName(name: string): string
  const number = matchstr(name, ':\zs.*')
  return agents.Named(AgentOf(name))->get('displayName', AgentOf(name)) .. (number == '' ? '' : ' ' .. number)
enddef

# The window of another agent in this tab; 0 when there is none.
def Neighbour(): number
  const buffers = keys(terminals)->sort()->mapnew((_, name) => BufferOf(name))->filter((_, buffer) => buffer > 0)
  return buffers->mapnew((_, buffer) => bufwinid(buffer))->filter((_, window) => window > 0)->get(-1, 0)
enddef

# The program of the server, with another command; in tmux if the user wants it.
def CommandOf(name: string, arguments: list<string>): list<string>
  const options = config.Options()
  const in_tmux = options.terminal.tmux ? ['--tmux', name] : []
  return options.cmd[: -2] + ['run'] + in_tmux + [AgentOf(name), '--'] + arguments
enddef

# Starts a command in the window of the agent, where that has ended, or in another one.
def Launch(name: string, command: list<string>)
  const ended = BufferOf(name)
  if !(ended > 0 && win_gotoid(bufwinid(ended)))
    agent_window.Open('split', Neighbour())
  endif
  const buffer = term_start(command, {curwin: true, env: status.Get().env})
  setbufvar(buffer, '&buflisted', false)
  setbufvar(buffer, '&bufhidden', 'hide')
  if ended > 0
    execute 'silent bwipeout!' ended
  endif
  execute 'silent keepalt file' fnameescape(text.FreeName(DisplayName(name), ''))
  terminals[name] = {buffer: buffer, folder: getcwd()}
  latest = name
enddef

# Shows the terminal of an agent and goes there.
def Show(name: string, buffer: number)
  if !win_gotoid(bufwinid(buffer))
    agent_window.Open('sbuffer ' .. buffer, Neighbour())
  endif
  latest = name
  if mode() == 'n' && term_getstatus(buffer) =~ 'normal'
    feedkeys('i', 'n')
  endif
enddef

# Calls back with the name of a terminal: the given one, the one that was shown last, or what the user chooses.
def WithName(name: string, Act: func(string))
  if !has('terminal')
    say.Error('This Vim has no terminal. In another one: ide-companion run ' .. AgentOf(name))
  elseif name != '' || IsRunning(BufferOf(latest))
    Act(name != '' ? name : latest)
  else
    WhenReady(() => {
      const all: list<dict<any>> = agents.All()
      stored.Menu(mapnew(all, (_, agent) => agent.displayName), 'Agent', (index) => {
        Act(all[index].name)
      })
    })
  endif
enddef

# The server answers once the agents and the variables for terminals are known. When it cannot be started, a message has
# said so.
def WhenReady(Act: func())
  server.Start()
  if server.IsRunning()
    server.Ask('companion/review', {}, (_) => Act())
  endif
enddef

# Starts an agent with arguments unless it runs; of one that runs, ActOn gets the name and the buffer.
def StartOr(name: string, arguments: list<string>, ActOn: func(string, number))
  WithName(name, (chosen) => {
    if IsRunning(BufferOf(chosen))
      ActOn(chosen, BufferOf(chosen))
    else
      WhenReady(() => {
        Launch(chosen, CommandOf(chosen, arguments))
      })
    endif
  })
enddef

# Starts an agent, goes to its terminal, or hides it when the user is in it; `name` is one that `ide-companion run`
# accepts, and with `:2` another terminal of the same agent. An empty one is that which was shown last.
export def Run(name: string, arguments: list<string>)
  StartOr(name, arguments, (chosen, buffer) => {
    if !empty(arguments)
      say.Warn(DisplayName(chosen) .. ' runs already: end it to start it with arguments')
    endif
    if buffer == bufnr()
      agent_window.Hide(buffer)
    else
      Show(chosen, buffer)
    endif
  })
enddef

# Hides the terminal of an agent where this tab shows it, and shows it otherwise.
export def Toggle(name: string)
  StartOr(name, [], (chosen, buffer) => {
    if bufwinid(buffer) > 0
      agent_window.Hide(buffer)
    else
      Show(chosen, buffer)
    endif
  })
enddef

# Goes to the terminal of an agent; from there, back to the window before.
export def Focus(name: string)
  StartOr(name, [], (chosen, buffer) => {
    if buffer == bufnr()
      wincmd p
    else
      Show(chosen, buffer)
    endif
  })
enddef

# Starts an agent with its last session of this folder; one that runs is shown.
export def Continue(name: string)
  WithName(name, (chosen) => {
    WhenReady(() => {
      const arguments: list<string> = agents.Named(AgentOf(chosen))->get('resumeArguments', [])
      if IsRunning(BufferOf(chosen))
        Run(chosen, [])
      elseif empty(arguments)
        say.Warn(DisplayName(chosen) .. ' has no last session that it could go on with')
      else
        Run(chosen, arguments)
      endif
    })
  })
enddef

# The agent that was shown last: { buffer, folder, name }, the last for people; empty when it does not run.
export def Latest(): dict<any>
  const buffer = BufferOf(latest)
  return IsRunning(buffer) ? {buffer: buffer, folder: terminals[latest].folder, name: DisplayName(latest)} : {}
enddef

defcompile
