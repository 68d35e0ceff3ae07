vim9script
# Agents in terminals of this Vim. A terminal is named by its agent: `gemini`, and `gemini:2` for a second one.

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/tmux.vim'

# By name: { buffer, folder }, the latter the one in which it was started.
var terminals: dict<dict<any>> = {}
# The one that was shown last. It receives what the user sends.
var latest = ''

const splits = {
  right: 'botright vertical',
  left: 'topleft vertical',
  below: 'botright',
  above: 'topleft',
  tab: 'tab',
}

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

# What the server says of the agent; empty when it does not know it.
def Known(name: string): dict<any>
  const known: list<dict<any>> = server.Agents()
  return known->copy()->filter((_, one) => one.name ==# AgentOf(name))->get(0, {})
enddef

# The name that people read.
def DisplayName(name: string): string
  const number = matchstr(name, ':\zs.*')
  return Known(name)->get('displayName', AgentOf(name)) .. (number == '' ? '' : ' ' .. number)
enddef

# A size below 1 is a fraction of the screen.
def ToCells(size: any, all: number): number
  const cells = float2nr(size < 1 ? all * size : size + 0.0)
  return max([1, min([cells, all - 2])])
enddef

# Wide enough for the boxes of an agent, and at most half of a small screen.
def UsualWidth(): number
  return max([&columns * 45 / 100, min([80, &columns / 2])])
enddef

# The window of another agent in this tab; 0 when there is none.
def Neighbour(): number
  const buffers = keys(terminals)->sort()->mapnew((_, name) => BufferOf(name))->filter((_, buffer) => buffer > 0)
  return buffers->mapnew((_, buffer) => bufwinid(buffer))->filter((_, window) => window > 0)->get(-1, 0)
enddef

# Opens a window with a command that takes `:vertical` and the like, and makes it the current one. Agents that are shown
# at once share one area.
def OpenWindow(command: string)
  const options: dict<any> = config.Options().terminal
  const split: string = splits[options.position]
  if options.position != 'tab' && win_gotoid(Neighbour())
    execute 'belowright' (split =~ 'vertical' ? '' : 'vertical') command
    return
  endif
  execute split command
  if split =~ 'vertical'
    setlocal winfixwidth
    execute 'vertical resize' ToCells(options.size ?? UsualWidth(), &columns)
  elseif split != 'tab'
    setlocal winfixheight
    execute 'resize' ToCells(options.size ?? 0.45, &lines)
  endif
enddef

# The program of the server, with another command; in tmux if the user wants it.
def CommandOf(name: string, arguments: list<string>): list<string>
  const command: list<string> = config.Options().cmd[: -2] + ['run', AgentOf(name), '--'] + arguments
  if !config.Options().terminal.tmux
    return command
  elseif !executable('tmux')
    say.Warn('There is no tmux in your PATH: the agent ends with Vim')
    return command
  endif
  return tmux.Wrap(name, command)
enddef

# Starts a command in the current window.
def Launch(name: string, command: list<string>)
  const ended = BufferOf(name)
  const window = bufwinid(ended)
  if ended > 0 && window > 0
    win_gotoid(window)
  else
    OpenWindow('split')
  endif
  var env = copy(status.Get().env)
  if config.Options().terminal.tmux
    env.TMUX = '' # tmux refuses to run in tmux
  endif
  const buffer = term_start(command, {curwin: true, env: env})
  setbufvar(buffer, '&buflisted', false)
  setbufvar(buffer, '&bufhidden', 'hide')
  if ended > 0
    execute 'silent bwipeout!' ended
  endif
  execute 'silent keepalt file' fnameescape(text.FreeName(DisplayName(name), ''))
  terminals[name] = {buffer: buffer, folder: getcwd()}
  latest = name
enddef

# Goes to the terminal of an agent, or hides it when the user is in it.
def Toggle(name: string, buffer: number)
  const window = bufwinid(buffer)
  if window == win_getid()
    if winnr('$') > 1 || tabpagenr('$') > 1
      hide
    endif
    return
  elseif window > 0
    win_gotoid(window)
  else
    OpenWindow('sbuffer ' .. buffer)
  endif
  latest = name
  if mode() == 'n' && term_getstatus(buffer) =~ 'normal'
    feedkeys('i', 'n')
  endif
enddef

# Starts an agent, goes to its terminal, or hides it when the user is in it; `name` is one that `ide-companion run`
# accepts, and with `:2` another terminal of the same agent.
export def Run(name: string, arguments: list<string>)
  if !has('terminal')
    say.Error('This Vim has no terminal. In another one: ide-companion run ' .. AgentOf(name))
    return
  endif
  if IsRunning(BufferOf(name))
    if !empty(arguments)
      say.Warn(DisplayName(name) .. ' runs already: end it to start it with arguments')
    endif
    Toggle(name, BufferOf(name))
    return
  endif
  server.Start()
  # When the server cannot be started, a message has said so.
  if server.IsRunning()
    status.WhenReady(() => {
      Launch(name, CommandOf(name, arguments))
    })
  endif
enddef

# Starts an agent with its last session of this folder; one that runs is shown.
export def Continue(name: string)
  if IsRunning(BufferOf(name))
    Run(name, [])
    return
  endif
  server.Start()
  if server.IsRunning()
    status.WhenReady(() => {
      const arguments: list<string> = Known(name)->get('resumeArguments', [])
      if empty(arguments)
        say.Warn(DisplayName(name) .. ' has no last session that it could go on with')
      else
        Run(name, arguments)
      endif
    })
  endif
enddef

# The agent that was shown last: { buffer, folder, name }, the last for people; empty when it does not run.
export def Latest(): dict<any>
  const buffer = BufferOf(latest)
  return IsRunning(buffer) ? {buffer: buffer, folder: terminals[latest].folder, name: DisplayName(latest)} : {}
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
