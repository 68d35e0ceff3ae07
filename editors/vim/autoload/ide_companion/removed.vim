vim9script
# Lines that a change has removed, drawn between those of a buffer.

const type = 'ide_companion_removed'

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

# Removes all of a buffer.
export def Clear(buffer: number)
  # `:e!` forgets it.
  if empty(prop_type_get(type, {bufnr: buffer}))
    prop_type_add(type, {bufnr: buffer, highlight: 'DiffDelete'})
  endif
  prop_remove({type: type, bufnr: buffer, all: true})
enddef

# Draws them where they were: before a line, which may be the one after the last. A sign is next to the first row of its
# line, so that they belong to the line before where there is one.
export def Draw(buffer: number, lines: list<string>, line: number)
  const info = get(getwininfo(get(win_findbuf(buffer), 0, 0)), 0, {width: &columns, textoff: 0})
  for text in lines
    prop_add(max([line - 1, 1]), 0, {
      bufnr: buffer,
      type: type,
      text: ToScreen(text, getbufvar(buffer, '&tabstop'), info.width - info.textoff),
      text_align: line > 1 ? 'below' : 'above',
      text_wrap: 'truncate',
    })
  endfor
enddef

defcompile
