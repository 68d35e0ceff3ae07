vim9script
# Agents in a terminal of this Vim.

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'

# The terminal that was opened last for an agent, where a range is sent to; and the folder in which it was.
var latest = 0
var folder = ''

def Open(command: list<string>)
  execute config.Options().terminal.position
  latest = term_start(command, {curwin: true, env: status.Get().env})
  folder = getcwd()
enddef

# Starts an agent in a split; `agent` is as `ide-companion run` has it.
export def Run(agent: string, arguments: list<string>)
  if !has('terminal')
    say.Error('This Vim has no terminal. In another one: ide-companion run ' .. agent)
    return
  endif
  # The same program as the server, with another word.
  const program: list<string> = config.Options().cmd[: -2]
  server.Start()
  # When it cannot be started, that has been told.
  if server.IsRunning()
    status.WhenReady(() => {
      Open(program + ['run', agent, '--'] + arguments)
    })
  endif
enddef

# How agents take a file and its lines: `@path#L3-L9`, from the folder of the terminal.
export def Reference(path: string, from: string, first: number, last: number): string
  const inside = stridx(path, from .. '/') == 0
  const name = escape(inside ? strpart(path, len(from) + 1) : path, " \t\\")
  return '@' .. name .. (first == last ? '#L' .. first : printf('#L%d-L%d', first, last))
enddef

# Types a reference to lines of the current file into the agent's prompt.
export def Send(first: number, last: number)
  const path = expand('%:p')
  if path == '' || &buftype != ''
    say.Info('There is no file in this window whose lines could be sent.')
  elseif latest == 0 || !bufexists(latest)
    say.Info('No agent runs in a terminal here. Start one by :IdeCompanion run')
  elseif term_getstatus(latest) !~ 'running'
    say.Info('The agent in the terminal has ended. Start one by :IdeCompanion run')
  else
    term_sendkeys(latest, Reference(path, folder, first, last) .. ' ')
  endif
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
