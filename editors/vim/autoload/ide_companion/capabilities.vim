vim9script
# Optional capabilities for agents: opens files and reports diagnostics.

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/selection.vim'
import autoload 'ide_companion/text.vim' as text_of
import autoload 'ide_companion/windows.vim'

# The types of list items. An item without one of these types, such as a search result, is no diagnostic.
const severities = {e: 'error', w: 'warning', i: 'info', n: 'info', h: 'hint'}

# Shows a buffer in a window. A swap file raises no question: the file may be open in another Vim.
def Put(buffer: number, window: number)
  augroup ide_companion_capabilities
    autocmd SwapExists * v:swapchoice = 'o'
  augroup END
  try
    win_execute(window, 'silent hide buffer ' .. buffer)
  finally
    autocmd! ide_companion_capabilities
  endtry
enddef

# Whether a window may show another file: it is no terminal, list, diff or fixed window.
def IsFree(window: number): bool
  const is_fixed = exists('+winfixbuf') && getwinvar(window, '&winfixbuf')
  return getbufvar(winbufnr(window), '&buftype') == '' && win_gettype(window) == ''
    && !getwinvar(window, '&diff') && !is_fixed
enddef

# The window for a buffer: one that shows it, the window in which the user reads, any other of this tab, or a new one.
# A user who types goes on where they are: `moves` says whether the cursor of that window is set.
def WindowFor(buffer: number, moves: bool): number
  const current = win_getid()
  const may_use_current = mode() == 'n' || (!moves && winbufnr(current) == buffer)
  const all = (may_use_current ? [current] : [])
    + filter(gettabinfo(tabpagenr())[0].windows, (_, window) => window != current)
  for window in all
    if winbufnr(window) == buffer
      return window
    endif
  endfor
  for window in all
    if IsFree(window)
      return window
    endif
  endfor
  var created = 0
  windows.InBackground(() => {
    aboveleft split
    created = win_getid()
  })
  return created
enddef

# The byte of a line, 1-based, of a character that is counted in UTF-16 units from 1.
def ColumnAt(line: string, character: number): number
  var units = 1
  var column = 1
  for letter in split(line, '\zs')
    const next = units + selection.Utf16Length(letter)
    if next > character
      break
    endif
    units = next
    column += len(letter)
  endfor
  return column
enddef

# For windows other than the current one. `line` and `character` are 1-based, the latter in UTF-16 units.
export def GoTo(line: number, character: number)
  const last = min([line, line('$')])
  cursor(last, ColumnAt(getline(last), character))
  silent! foldopen!
  winrestview({topline: max([1, last - winheight(0) / 2])})
enddef

# `companion/openFile`: { path, line, character }, the last two optional. The window of the user stays the current
# one.
export def Open(params: dict<any>): any
  if !quiet.IsCalm()
    throw 'the user is in the middle of something'
  endif
  const buffer = text_of.BufferOf(params.path) > 0 ? text_of.BufferOf(params.path) : bufadd(params.path)
  setbufvar(buffer, '&buflisted', true)
  const window = WindowFor(buffer, has_key(params, 'line'))
  if winbufnr(window) != buffer
    Put(buffer, window)
  endif
  if has_key(params, 'line')
    win_execute(window, printf('ide_companion#capabilities#GoTo(%d, %d)', params.line, get(params, 'character', 1)))
  endif
  redraw
  return null
enddef

# The items of a list of getqflist(). An item of `:make` without a type is an error; the title of its list is the
# command.
def ItemsOf(list: dict<any>): list<dict<any>>
  if &makeprg != '' && stridx(list.title, ':' .. split(&makeprg)[0]) == 0
    return mapnew(list.items, (_, item) => item.valid && item.type == '' ? extend({type: 'E'}, item, 'keep') : item)
  endif
  return list.items
enddef

# The items of the quickfix list and of the location lists of all windows, where linters and language clients put them.
def Listed(): list<dict<any>>
  const what = {items: 0, title: 0}
  var found = ItemsOf(getqflist(what))
  for window in getwininfo()
    extend(found, ItemsOf(getloclist(window.winid, what)))
  endfor
  return found
enddef

# An absolute path; empty when the item has no file.
def PathOf(item: dict<any>): string
  const name = get(item, 'bufnr', 0) > 0 ? bufname(item.bufnr) : get(item, 'filename', '')
  return name == '' ? '' : fnamemodify(name, ':p')
enddef

# Columns are bytes here, or cells; they are used as they are when the line is not loaded.
def CharacterAt(item: dict<any>, line: number, column: number): number
  const text = get(getbufline(text_of.BufferOf(PathOf(item)), line), 0, '')
  if column <= 1 || text == ''
    return max([1, column])
  endif
  const before = get(item, 'vcol', 0) ? selection.Cells(text, 0, column - 2) : strpart(text, 0, column - 1)
  return selection.Utf16Length(before) + 1
enddef

def ToDiagnostic(item: dict<any>): dict<any>
  const line = max([1, get(item, 'lnum', 1)])
  var diagnostic = {
    path: PathOf(item),
    line: line,
    character: CharacterAt(item, line, get(item, 'col', 1)),
    severity: severities[tolower(item.type)],
    message: trim(get(item, 'text', '')),
  }
  const [last, end] = [get(item, 'end_lnum', 0), get(item, 'end_col', 0)]
  if last >= line && end > 0
    extend(diagnostic, {endLine: last, endCharacter: CharacterAt(item, last, end)})
  endif
  if get(item, 'nr', 0) > 0
    diagnostic.code = item.nr
  endif
  return diagnostic
enddef

# `companion/diagnostics`: { path }, or nothing for all files.
export def Diagnostics(params: dict<any>): any
  const Find = config.Options().diagnostics
  const items: list<dict<any>> = Find == null ? Listed() : Find()
  var diagnostics: list<dict<any>> = []
  for item in items
    const path = PathOf(item)
    if path != '' && path ==# get(params, 'path', path) && has_key(severities, tolower(get(item, 'type', '')))
      const diagnostic = ToDiagnostic(item)
      # Both halves of a split window have the same list.
      if index(diagnostics, diagnostic) < 0
        add(diagnostics, diagnostic)
      endif
    endif
  endfor
  return {diagnostics: diagnostics}
enddef

defcompile
