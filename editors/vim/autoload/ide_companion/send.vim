vim9script
# What the user sends into the prompt of an agent. Nothing presses Enter.

import autoload 'ide_companion/netrw.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/screens.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/terminal.vim'
import autoload 'ide_companion/text.vim'

# The path of the current file; when there is none, it says so.
def CurrentPath(): string
  const path = &buftype == '' ? expand('%:p') : ''
  if path == ''
    say.Info('There is no file in this window whose lines could be sent.')
  endif
  return path
enddef

# A reference to lines of the current file. All lines of a file are the file.
def Mention(path: string, first: number, last: number): dict<any>
  const is_all = first == 1 && last == line('$') && first < last
  return extend({path: path}, is_all ? {} : {lines: {first: first, last: last}})
enddef

# Puts a message into an agent's prompt: by the companion if it reaches the prompt of a connected agent, otherwise by
# typing into the agent's terminal here. Without one it is copied. `message` has `mentions`, `diagnostics` and `text`,
# as in `companion/send`.
def Send(message: dict<any>)
  const agent: dict<any> = terminal.Latest()
  const folder: string = get(agent, 'folder', getcwd())
  server.Request('companion/send', extendnew(message, {folder: folder}), (answer, failure) => {
    if answer == null
      say.Info(failure.message)
    elseif has_key(answer, 'types') && !empty(agent)
      screens.Paste(agent.buffer, answer.copy)
      say.Info(printf('The prompt of %s has it', agent.name))
    else
      say.Info(text.Sentence(answer.message, answer))
    endif
  })
enddef

def Refer(paths: list<string>)
  Send({mentions: mapnew(paths, (_, path) => ({path: path}))})
enddef

# Sends lines of the current file; in netrw, what is marked there or is on these lines.
export def Lines(first: number, last: number)
  if netrw.IsHere()
    const entries: list<string> = netrw.Entries(first, last)
    if empty(entries)
      say.Info('There is no file on this line.')
    else
      Refer(entries)
    endif
    return
  endif
  const path = CurrentPath()
  if path != ''
    Send({mentions: [Mention(path, first, last)]})
  endif
enddef

# Sends files and folders. What is none may stand for one, as `%:h` does.
export def Paths(paths: list<string>)
  const names = mapnew(paths, (_, path) => getftype(path) == '' ? expand(path, true) : path)
  const missing = mapnew(names, (_, name) => getftype(name) == '')->index(true)
  if missing >= 0
    say.Warn('There is no ' .. paths[missing])
    return
  endif
  Refer(mapnew(names, (_, name) => fnamemodify(name, ':p')->substitute('.\zs/$', '', '')))
enddef

# Sends a text; an empty one is asked for. `lines` are the first and the last line of the current file, or none.
export def Text(words: string, lines: list<number>)
  const path = empty(lines) ? '' : CurrentPath()
  if !empty(lines) && path == ''
    return
  endif
  const typed = words != '' ? words : input('To the agent: ')
  redraw
  if trim(typed) != ''
    const mentions = empty(lines) ? [] : [Mention(path, lines[0], lines[1])]
    Send({text: typed, mentions: mentions})
  endif
enddef

# Sends what linters and compilers have found on lines of the current file.
export def Diagnostics(first: number, last: number)
  const path = CurrentPath()
  if path != ''
    Send({diagnostics: {path: path, lines: {first: first, last: last}}})
  endif
enddef

defcompile
