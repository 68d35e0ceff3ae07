vim9script
# Agents in terminals of this Vim, one terminal per agent.

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/text.vim'

# By agent: { buffer, folder }, the latter the one in which it was started.
var terminals: dict<dict<any>> = {}
# The agent that was shown last. It receives the ranges that the user sends.
var latest = ''

const splits = {
  right: 'botright vertical',
  left: 'topleft vertical',
  below: 'botright',
  above: 'topleft',
  tab: 'tab',
}

# The number of its buffer; 0 when it was never started, or its buffer is gone.
def BufferOf(agent: string): number
  const buffer = terminals->get(agent, {})->get('buffer', 0)
  return bufexists(buffer) ? buffer : 0
enddef

def IsRunning(buffer: number): bool
  return buffer > 0 && term_getstatus(buffer) =~ 'running'
enddef

# The name that people read.
def DisplayName(agent: string): string
  const known: list<dict<any>> = server.Agents()
  return known->copy()->filter((_, one) => one.name ==# agent)->get(0, {})->get('displayName', agent)
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

# Opens a window with a command that takes `:vertical` and the like, and makes it the current one.
def OpenWindow(command: string)
  const options: dict<any> = config.Options().terminal
  const split: string = splits[options.position]
  execute split command
  if split =~ 'vertical'
    setlocal winfixwidth
    execute 'vertical resize' ToCells(options.size ?? UsualWidth(), &columns)
  elseif split != 'tab'
    setlocal winfixheight
    execute 'resize' ToCells(options.size ?? 0.45, &lines)
  endif
enddef

# Starts a command in the current window.
def Launch(agent: string, command: list<string>)
  const ended = BufferOf(agent)
  const window = bufwinid(ended)
  if ended > 0 && window > 0
    win_gotoid(window)
  else
    OpenWindow('split')
  endif
  const buffer = term_start(command, {curwin: true, env: status.Get().env})
  setbufvar(buffer, '&buflisted', false)
  setbufvar(buffer, '&bufhidden', 'hide')
  if ended > 0
    execute 'silent bwipeout!' ended
  endif
  execute 'silent keepalt file' fnameescape(text.FreeName(DisplayName(agent), ''))
  terminals[agent] = {buffer: buffer, folder: getcwd()}
  latest = agent
enddef

# Goes to the terminal of an agent, or hides it when the user is in it.
def Toggle(agent: string, buffer: number)
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
  latest = agent
  if mode() == 'n' && term_getstatus(buffer) =~ 'normal'
    feedkeys('i', 'n')
  endif
enddef

# Starts an agent, goes to its terminal, or hides it when the user is in it; `agent` is a name that
# `ide-companion run` accepts.
export def Run(agent: string, arguments: list<string>)
  if !has('terminal')
    say.Error('This Vim has no terminal. In another one: ide-companion run ' .. agent)
    return
  endif
  if IsRunning(BufferOf(agent))
    if !empty(arguments)
      say.Warn(DisplayName(agent) .. ' runs already: end it to start it with arguments')
    endif
    Toggle(agent, BufferOf(agent))
    return
  endif
  # The program of the server, with another command.
  const program: list<string> = config.Options().cmd[: -2]
  server.Start()
  # When the server cannot be started, a message has said so.
  if server.IsRunning()
    status.WhenReady(() => {
      Launch(agent, program + ['run', agent, '--'] + arguments)
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
