vim9script
# A proposal in one window: its lines can be edited, and the lines that it replaces are shown between them.

import autoload 'ide_companion/hunks.vim'

# After an edit, in milliseconds.
const draw_after_ms = 30

const removed_type = 'ide_companion_removed'
const added_sign = 'ide_companion_added'

# Lines that are not in the buffer came with Vim 9.0, and became right by and by: this is the oldest they were seen so.
export def IsPossible(): bool
  return has('textprop') && has('signs') && has('patch-9.0.1378')
enddef

def HunksOf(buffer: number): list<list<number>>
  return hunks.BetweenBuffers(getbufvar(buffer, 'ide_companion_base'), buffer)
enddef

# A line as a window shows it: with the width of tabs, marks for unprintable characters, and padding to the edge.
def ToScreen(line: string, tabstop: number, width: number): string
  const parts = split(line, "\t", true)
  var shown = parts[0]
  for part in parts[1 :]
    shown ..= repeat(' ', tabstop - strdisplaywidth(shown) % tabstop) .. part
  endfor
  shown = substitute(shown, '[[:cntrl:]]', '?', 'g')
  return shown .. repeat(' ', max([0, width - strdisplaywidth(shown)]))
enddef

# The lines of the original that a hunk replaces, above the new lines.
def DrawRemoved(buffer: number, info: dict<any>, lines: list<string>, line: number)
  const last = info.botline_of_buffer
  for text in lines
    prop_add(min([line, last]), 0, {
      bufnr: buffer,
      type: removed_type,
      text: ToScreen(text, getbufvar(buffer, '&tabstop'), info.width - info.textoff),
      text_align: line <= last ? 'above' : 'below',
      text_wrap: 'truncate',
    })
  endfor
enddef

# Draws the hunks in the buffer of a proposal.
export def Draw(buffer: number)
  const windows = win_findbuf(buffer)
  if empty(windows)
    return
  endif
  var info = getwininfo(windows[0])[0]
  info.botline_of_buffer = getbufinfo(buffer)[0].linecount
  const base: number = getbufvar(buffer, 'ide_companion_base')
  # `:e!` forgets it.
  if empty(prop_type_get(removed_type, {bufnr: buffer}))
    prop_type_add(removed_type, {bufnr: buffer, highlight: 'DiffDelete'})
  endif
  prop_remove({type: removed_type, bufnr: buffer, all: true})
  sign_unplace(added_sign, {buffer: buffer})
  for [base_start, base_count, start, count] in HunksOf(buffer)
    for line in range(start, start + count - 1)
      sign_place(0, added_sign, added_sign, buffer, {lnum: line})
    endfor
    if base_count > 0
      DrawRemoved(buffer, info, getbufline(base, base_start, base_start + base_count - 1), start)
    endif
  endfor
enddef

var drawing = 0

def DrawSoon(buffer: number)
  timer_stop(drawing)
  drawing = timer_start(draw_after_ms, (_) => {
    Draw(buffer)
  })
enddef

# Reverts the hunk at the cursor.
export def Revert()
  const cursor = line('.')
  for [base_start, base_count, start, count] in HunksOf(bufnr())
    const is_here = count > 0 ? cursor >= start && cursor < start + count : cursor == start || cursor == start - 1
    if is_here
      const old = getbufline(b:ide_companion_base, base_start, base_start + base_count - 1)
      if base_count > 0
        append(start - 1, old)
      endif
      if count > 0
        deletebufline('', start + base_count, start + base_count + count - 1)
      endif
      cursor(min([start, line('$')]), 1)
      Draw(bufnr())
      return
    endif
  endfor
enddef

# Goes to the next or the previous change.
export def Jump(forwards: bool)
  const cursor = line('.')
  var lines = HunksOf(bufnr())->mapnew((_, hunk) => min([hunk[2], line('$')]))
  filter(lines, (_, line) => forwards ? line > cursor : line < cursor)
  if !empty(lines)
    cursor(lines[forwards ? 0 : -1], 1)
  endif
enddef

# Draws the hunks in the buffer of the proposal, and again after each edit.
export def Attach(proposal: dict<any>)
  const buffer: number = proposal.proposed
  const window: number = proposal.view.proposed
  setbufvar(buffer, 'ide_companion_base', proposal.base)
  sign_define(added_sign, {linehl: 'DiffAdd'})
  # A sign would be next to the first of the lines above, and not next to its line.
  win_execute(window, 'setlocal signcolumn=no')
  Draw(buffer)
  augroup ide_companion_diff
    execute printf('autocmd TextChanged,TextChangedI <buffer=%d> DrawSoon(%d)', buffer, buffer)
    execute printf('autocmd VimResized,BufWinEnter <buffer=%d> DrawSoon(%d)', buffer, buffer)
  augroup END
  win_execute(window, [
    'nnoremap <buffer> do <Cmd>call ide_companion#unified#Revert()<CR>',
    'nnoremap <buffer> ]c <Cmd>call ide_companion#unified#Jump(v:true)<CR>',
    'nnoremap <buffer> [c <Cmd>call ide_companion#unified#Jump(v:false)<CR>',
    printf('keepjumps call cursor(%d, 1)', get(get(HunksOf(buffer), 0, [1, 0, 1, 0]), 2)),
  ])
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
