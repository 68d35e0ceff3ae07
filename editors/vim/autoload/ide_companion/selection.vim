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

# The break of a line. The last one may have none.
def BreakOf(line: number): string
  return line == line('$') && !&endofline ? '' : "\n"
enddef

# The position after a line and its break.
def AfterLine(line: number): dict<number>
  return BreakOf(line) == '' ? PositionAt(line, v:maxcol) : {line: line + 1, character: 1}
enddef

def Charwise(from: list<number>, to: list<number>): string
  if from[0] == to[0]
    const line = getline(from[0])
    const first = from[1] - 1
    const rest = strpart(line, 0, min([first + 4 * limit, EndOf(line, to[1])]))
    return strpart(rest, first) .. (TakesBreak(line, to[1]) ? BreakOf(to[0]) : '')
  endif
  var lines = LinesBetween(from[0], to[0])
  lines[0] = strpart(getline(from[0]), from[1] - 1, 4 * limit)
  if len(lines) == to[0] - from[0] + 1
    const line = getline(to[0])
    lines[-1] = strpart(line, 0, EndOf(line, to[1])) .. (TakesBreak(line, to[1]) ? BreakOf(to[0]) : '')
  endif
  return join(lines, "\n")
enddef

# Of the last line of a selection that ends in a column, how many bytes are in it.
def EndOf(line: string, column: number): number
  return &selection == 'exclusive' ? column - 1 : column - 1 + CharacterAt(line, column - 1)
enddef

def TakesBreak(line: string, column: number): bool
  return &selection != 'exclusive' && column > len(line)
enddef

# The first and the last cell of a block, 0-based.
def EdgesOf(from: list<number>, to: list<number>): list<number>
  const [left, left_end] = CellsAt(from)
  const [right, right_end] = CellsAt(to)
  const to_ends = winsaveview().curswant == v:maxcol
  const last = to_ends ? v:maxcol
    : &selection == 'exclusive' ? max([left, right]) - 1 : max([left_end, right_end])
  return [min([left, right]), last]
enddef

def Blockwise(from: list<number>, to: list<number>): string
  const [first, last] = EdgesOf(from, to)
  return LinesBetween(from[0], to[0])->map((_, line) => Cells(line, first, last))->join("\n")
enddef

# The kind of selection in the current window: v, V or b, or empty when there is none. `mode` is as mode(1) has it.
def KindOf(mode: string): string
  return get({v: 'v', s: 'v', V: 'V', S: 'V', "\<C-V>": 'b', "\<C-S>": 'b'}, strpart(mode, 0, 1), '')
enddef

# Its corners, the first one first.
def Corners(): list<list<number>>
  const [from, to] = [getpos('v')[1 : 3], getpos('.')[1 : 3]]
  return from[0] > to[0] || (from[0] == to[0] && from[1] > to[1]) ? [to, from] : [from, to]
enddef

# The text that is selected in the current window; empty when nothing is. `mode` is as mode(1) has it.
export def Text(mode: string): string
  const kind = KindOf(mode)
  if kind == ''
    return ''
  endif
  const [from, to] = Corners()
  if kind ==# 'V'
    return join(LinesBetween(from[0], to[0]), "\n") .. BreakOf(to[0])
  endif
  return kind ==# 'v' ? Charwise(from, to) : Blockwise(from, to)
enddef

# Where that text is; `end` is the first position behind it. Of a block, the range from its first to its last character.
export def Range(mode: string): dict<dict<number>>
  const kind = KindOf(mode)
  const [from, to] = Corners()
  if kind ==# 'V'
    return {start: PositionAt(from[0], 1), end: AfterLine(to[0])}
  elseif kind ==# 'v'
    const last = getline(to[0])
    return {
      start: PositionAt(from[0], from[1]),
      end: TakesBreak(last, to[1]) ? AfterLine(to[0]) : PositionAt(to[0], EndOf(last, to[1]) + 1),
    }
  endif
  const [left, right] = EdgesOf(from, to)
  return {
    start: PositionAt(from[0], BytesOf(getline(from[0]), left, right)[0] + 1),
    end: PositionAt(to[0], BytesOf(getline(to[0]), left, right)[1] + 1),
  }
enddef
