vim9script
# Cursor and selection as agents count them: from 1, in UTF-16 code units.

# No agent reads more.
const limit = 16384

# A character beyond the basic plane takes two.
export def Utf16Length(text: string): number
  const characters = strchars(text)
  if characters == len(text)
    return characters
  endif
  return characters + len(filter(str2list(text, true), (_, code) => code > 0xFFFF))
enddef

# Where a byte is, 1-based, of the current buffer.
def PositionAt(line: number, byte: number): dict<number>
  const before = strpart(getline(line), 0, byte - 1)
  return {line: line, character: Utf16Length(iconv(before, &encoding, 'utf-8')) + 1}
enddef

# The cursor of the current window.
export def Cursor(): dict<number>
  return PositionAt(line('.'), col('.'))
enddef

# Length in bytes of the character that begins at a byte, 0-based, with what is combined with it; 0 at the end.
def CharacterAt(text: string, byte: number): number
  return len(strcharpart(strpart(text, byte, 64), 0, 1, true))
enddef

# The bytes of a line between two screen cells, both included, 0-based: the first one, and the one after the last.
def BytesOf(line: string, left: number, right: number): list<number>
  var cell = 0
  var byte = 0
  var from = -1
  while byte < len(line) && cell <= right
    const size = CharacterAt(line, byte)
    const width = strdisplaywidth(strpart(line, byte, size), cell)
    if cell + width > left && from < 0
      from = byte
    endif
    cell += width
    byte += size
  endwhile
  return from < 0 ? [len(line), len(line)] : [from, byte]
enddef

# The part of a line between two screen cells, both included, 0-based.
export def Cells(line: string, left: number, right: number): string
  const [from, behind] = BytesOf(line, left, right)
  return strpart(line, from, behind - from)
enddef

# First and last cell of a corner of a block, 0-based both; with 'virtualedit' it may be beyond the text.
def CellsAt(position: list<number>): list<number>
  const line = getline(position[0])
  const byte = position[1] - 1
  const first = strdisplaywidth(strpart(line, 0, byte))
  const after = strdisplaywidth(strpart(line, 0, byte + CharacterAt(line, byte)))
  return [first + position[2], max([first, after - 1]) + position[2]]
enddef

# Enough of the lines to fill the limit.
def LinesBetween(first: number, last: number): list<string>
  var lines: list<string> = []
  var size = 0
  var number = first
  # A UTF-16 unit takes three bytes at most.
  while number <= last && size <= 3 * limit
    const line = getline(number)
    add(lines, strpart(line, 0, 4 * limit))
    size += len(line) + 1
    number += 1
  endwhile
  return lines
enddef

# The break of a line, and the position behind it. The last line may have none.
def After(line: number): list<any>
  return line == line('$') && !&endofline ? ['', PositionAt(line, v:maxcol)] : ["\n", {line: line + 1, character: 1}]
enddef

# What is selected, of each kind: its text, and where that starts and ends. `end` is the first position behind it.
def Linewise(from: list<number>, to: list<number>): list<any>
  const [line_break, end] = After(to[0])
  return [join(LinesBetween(from[0], to[0]), "\n") .. line_break, PositionAt(from[0], 1), end]
enddef

def Charwise(from: list<number>, to: list<number>): list<any>
  const last = getline(to[0])
  const bytes = EndOf(last, to[1])
  const takes_break = &selection != 'exclusive' && to[1] > len(last)
  const [line_break, end] = takes_break ? After(to[0]) : ['', PositionAt(to[0], bytes + 1)]
  var lines = LinesBetween(from[0], to[0])
  if len(lines) == to[0] - from[0] + 1
    lines[-1] = strpart(last, 0, bytes) .. line_break
  endif
  lines[0] = strpart(from[0] == to[0] ? lines[0] : getline(from[0]), from[1] - 1, 4 * limit)
  return [join(lines, "\n"), PositionAt(from[0], from[1]), end]
enddef

# A block has no range: its corners in the text enclose it.
def Blockwise(from: list<number>, to: list<number>): list<any>
  const [left, left_end] = CellsAt(from)
  const [right, right_end] = CellsAt(to)
  const first = min([left, right])
  const last = winsaveview().curswant == v:maxcol ? v:maxcol
    : &selection == 'exclusive' ? max([left, right]) - 1 : max([left_end, right_end])
  const Corner = (line, index) => PositionAt(line, BytesOf(getline(line), first, last)[index] + 1)
  const text = LinesBetween(from[0], to[0])->map((_, line) => Cells(line, first, last))->join("\n")
  return [text, Corner(from[0], 0), Corner(to[0], 1)]
enddef

# Of the last line of a selection that ends in a column, how many bytes are in it.
def EndOf(line: string, column: number): number
  return &selection == 'exclusive' ? column - 1 : column - 1 + CharacterAt(line, column - 1)
enddef

# What is selected in the current window, as it is sent; empty when nothing is. `mode` is as mode(1) has it.
export def Selected(mode: string): dict<any>
  const kinds = {v: Charwise, s: Charwise, V: Linewise, S: Linewise, "\<C-V>": Blockwise, "\<C-S>": Blockwise}
  if !has_key(kinds, strpart(mode, 0, 1))
    return {}
  endif
  const [from, to] = [getpos('v')[1 : 3], getpos('.')[1 : 3]]
  const is_backwards = from[0] > to[0] || (from[0] == to[0] && from[1] > to[1])
  const [text, start, end] = is_backwards ? kinds[mode[0]](to, from) : kinds[mode[0]](from, to)
  return empty(text) ? {} : {selectedText: text, selection: {start: start, end: end}}
enddef
