vim9script
# What the user sends into the prompt of an agent. Nothing presses Enter.

import autoload 'ide_companion/capabilities.vim'
import autoload 'ide_companion/netrw.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/terminal.vim'
import autoload 'ide_companion/text.vim'

# A file and its lines as agents read them: `@path#L3-L9`, relative to the folder of the terminal. `lines` are the
# first and the last one, or none for the whole file.
export def Reference(path: string, from: string, lines: list<number>): string
  const inside = stridx(path, from .. '/') == 0
  const name = '@' .. escape(inside ? strpart(path, len(from) + 1) : path, " \t\\")
  if empty(lines)
    return name
  endif
  return name .. (lines[0] == lines[1] ? '#L' .. lines[0] : printf('#L%d-L%d', lines[0], lines[1]))
enddef

# The path of the current file; when there is none, it says so.
def CurrentPath(): string
  const path = &buftype == '' ? expand('%:p') : ''
  if path == ''
    say.Info('There is no file in this window whose lines could be sent.')
  endif
  return path
enddef

# All lines of a file are the file.
def Part(first: number, last: number): list<number>
  return first == 1 && last == line('$') && first < last ? [] : [first, last]
enddef

# Types a text into the terminal of an agent. A control character would press a key there.
def Type(agent: dict<any>, typed: string)
  term_sendkeys(agent.buffer, substitute(typed, '[[:cntrl:]]\+', ' ', 'g') .. ' ')
enddef

# Puts references into an agent's prompt: by the companion if a connected agent supports that, otherwise by typing into
# the agent's terminal. `lines` are of the only path.
def Refer(paths: list<string>, lines: list<number> = [])
  final asked = {open: len(paths), left: [], agent: ''}
  const range = empty(lines) ? {}
    : {range: {start: {line: lines[0], character: 1}, end: {line: lines[1] + 1, character: 1}}}
  for path in paths
    Ask(path, range, asked, () => {
      Finish(asked, lines)
    })
  endfor
enddef

# (A function, because all lambdas of a loop share its variables.)
def Ask(path: string, range: dict<any>, asked: dict<any>, OnLast: func())
  server.Request('companion/mention', extend({path: path}, range), (answer, _) => {
    asked.open -= 1
    if answer != null && has_key(answer, 'agent')
      asked.agent = answer.agent
    else
      add(asked.left, path)
    endif
    if asked.open == 0
      OnLast()
    endif
  })
enddef

def Finish(asked: dict<any>, lines: list<number>)
  const agent: dict<any> = terminal.Latest()
  if !empty(asked.left) && empty(agent)
    say.Info('No agent here takes a reference. Start one by :IdeCompanion run')
  elseif !empty(asked.left)
    Type(agent, asked.left->mapnew((_, path) => Reference(path, agent.folder, lines))->join())
  else
    say.Info(printf('The prompt of %s has the reference', asked.agent))
  endif
enddef

# Sends lines of the current file; in netrw, what is marked there or is on these lines.
export def Lines(first: number, last: number)
  if netrw.IsHere()
    const entries: list<string> = netrw.Entries(first, last)
    Refer(entries)
    if empty(entries)
      say.Info('There is no file on this line.')
    endif
    return
  endif
  const path = CurrentPath()
  if path != ''
    Refer([path], Part(first, last))
  endif
enddef

# Sends files and folders.
export def Paths(paths: list<string>)
  Refer(mapnew(paths, (_, path) => fnamemodify(expand(path), ':p')->substitute('.\zs/$', '', '')))
enddef

# Types a text into the agent that was shown last; without one it is on the clipboard. `what` begins a sentence.
def TypeOrCopy(typed: string, what: string)
  const agent: dict<any> = terminal.Latest()
  if empty(agent)
    const where: string = text.Copy(typed)
    say.Info(printf('%s: %s, because no agent runs in a terminal of Vim', what, where))
  else
    Type(agent, typed)
    say.Info(printf('%s: in the prompt of %s', what, agent.name))
  endif
enddef

def ToReference(path: string, lines: list<number>): string
  return Reference(path, terminal.Latest()->get('folder', getcwd()), lines)
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
    TypeOrCopy((empty(lines) ? '' : ToReference(path, Part(lines[0], lines[1])) .. ' ') .. typed, 'Your text')
  endif
enddef

def ToWords(found: dict<any>): string
  return printf('L%d %s: %s', found.line, found.severity, found.message)
enddef

# Sends what linters and compilers have found on lines of the current file.
export def Diagnostics(first: number, last: number)
  const path = CurrentPath()
  if path == ''
    return
  endif
  const all: list<dict<any>> = capabilities.Diagnostics({path: path}).diagnostics
  const found = all->copy()
    ->filter((_, one) => one.line <= last && get(one, 'endLine', one.line) >= first)
    ->sort((one, other) => one.line - other.line)
  if empty(found)
    say.Info('There are no diagnostics on these lines.')
  else
    const words = found->mapnew((_, one) => ToWords(one))->join('; ')
    TypeOrCopy(ToReference(path, Part(first, last)) .. ' ' .. words, 'The diagnostics')
  endif
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
