vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same

def Select(child: dict<any>, lines: list<string>, keys: string): string
  harness.Do(child, 'enew! | call setline(1, ' .. string(lines) .. ')')
  harness.Keys(child, keys)
  return harness.Eval(child, 'get(ide_companion#selection#Selected(mode(1)), "selectedText", "")')
enddef

def Positions(child: dict<any>): list<number>
  const range = harness.Eval(child, 'ide_companion#selection#Selected(mode(1)).selection')
  return [range.start.line, range.start.character, range.end.line, range.end.character]
enddef

# The text in a range of lines, cut as an agent does: by lines and UTF-16 units.
def TextIn(range: list<number>, lines: list<string>): string
  const Part = (line, from, to) => {
    const units = str2list(line)
      ->mapnew((_, code) => code > 0xFFFF ? [nr2char(code), ''] : [nr2char(code)])
      ->flattennew()
    return join(units[from - 1 : to - 2], '')
  }
  if range[0] == range[2]
    return Part(lines[range[0] - 1], range[1], range[3])
  endif
  const tail = range[3] == 1 ? '' : Part(lines[range[2] - 1], 1, range[3])
  return join([Part(lines[range[0] - 1], range[1], 1000)] + lines[range[0] : range[2] - 2] + [tail], "\n")
enddef

Test('without a selection there is no text', (child) => {
  Same(Select(child, ['one'], 'l'), '')
})

Test('a selection of characters holds the one under the cursor, whatever its bytes', (child) => {
  Same(Select(child, ['aé😀b'], 'lvl'), 'é😀')
})

Test('a selection that was made backwards is the same', (child) => {
  Same(Select(child, ['one two', 'three'], 'jwvk0w'), "two\nthree")
})

Test('a selection up to the line break has it', (child) => {
  Same(Select(child, ['one', 'two'], 'v$'), "one\n")
})

Test('a selection over several lines ends where it ends', (child) => {
  Same(Select(child, ['one', 'two', 'three'], 'lvjjh'), "ne\ntwo\nt")
  Same(Select(child, ['one', 'two', 'three'], 'lvj$'), "ne\ntwo\n")
})

Test("with 'selection' exclusive the character under the cursor is not in it", (child) => {
  harness.Do(child, 'set selection=exclusive')
  Same(Select(child, ['abcd'], 'lvll'), 'bc')
})

Test('a selection of lines has their breaks', (child) => {
  Same(Select(child, ['one', 'two', 'three'], 'jlVj'), "two\nthree\n")
})

Test('a block is cut by screen cells, through wide characters and short lines', (child) => {
  Same(Select(child, ['abcdef', 'a', '日本語x', 'abcdef'], 'll\<C-V>jjjl'), "cd\n\n本\ncd")
})

Test('a block to the ends of its lines', (child) => {
  Same(Select(child, ['abc', 'abcdef'], 'l\<C-V>j$'), "bc\nbcdef")
})

Test("a block with 'selection' exclusive ends before the cursor", (child) => {
  harness.Do(child, 'set selection=exclusive')
  Same(Select(child, ['abcd', 'abcd'], 'l\<C-V>jl'), "b\nb")
})

Test("with 'virtualedit' a block may reach beyond the text", (child) => {
  harness.Do(child, 'set virtualedit=block')
  Same(Select(child, ['a', 'abcdef'], '\<C-V>llllj'), "a\nabcde")
})

Test('a combining character stays with its letter', (child) => {
  Same(Select(child, ["e\u0301x"], 'vl'), "e\u0301x")
  Same(Select(child, ["e\u0301x"], 'v'), "e\u0301")
})

Test('what Select mode has selected counts as well', (child) => {
  Same(Select(child, ['one two'], 'wgh'), 't')
})

Test('the range of a selection holds its text', (child) => {
  for [lines, keys, range] in [
    [['aé😀b'], 'lvl', [1, 2, 1, 5]],
    [['😀 two', 'three'], 'jwvk0w', [1, 4, 2, 6]],
    [['one', 'two'], 'v$', [1, 1, 2, 1]],
    [['one', 'two'], 'vj0', [1, 1, 2, 2]],
    [["e\u0301x"], 'v', [1, 1, 1, 3]],
    [['one', 'two', 'three'], 'jlVj', [2, 1, 4, 1]],
    [['one', '', 'three'], 'jV', [2, 1, 3, 1]],
    [['one two'], 'wgh', [1, 5, 1, 6]],
  ]
    const text = Select(child, lines, keys)
    Same(Positions(child), range)
    Same(TextIn(range, lines), text)
    harness.Keys(child, '\<Esc>')
  endfor
})

Test("the range of a selection holds its text with 'selection' exclusive", (child) => {
  harness.Do(child, 'set selection=exclusive')
  Same(Select(child, ['a😀cd'], 'lvll'), '😀c')
  Same(TextIn(Positions(child), ['a😀cd']), '😀c')
})

Test('the break that the last line of a file does not have is not selected', (child) => {
  for keys in ['jv$', 'jV']
    harness.Do(child, 'enew! | setlocal nofixendofline noendofline | call setline(1, ["one", "two"])')
    harness.Keys(child, keys)
    Same(harness.Eval(child, 'get(ide_companion#selection#Selected(mode(1)), "selectedText", "")'), 'two')
    Same(Positions(child), [2, 1, 2, 4])
    harness.Keys(child, '\<Esc>')
  endfor
})

Test('the range of a block goes from its first to its last character', (child) => {
  Select(child, ['abcdef', 'a', '日本語x', '😀bcdef'], 'll\<C-V>jjjl')
  Same(Positions(child), [1, 3, 4, 5])
})

Test('the range of a huge selection has all of it', (child) => {
  for [keys, range] in [['VG', [1, 1, 5001, 1]], ['vG$h', [1, 1, 5000, 1001]]]
    harness.Do(child, 'enew! | call setline(1, repeat([repeat("x", 1000)], 5000))')
    harness.Keys(child, keys)
    Same(Positions(child), range)
    harness.Keys(child, '\<Esc>')
  endfor
})

Test('of a huge selection no more is read than an agent takes', (child) => {
  for [lines, keys] in [['repeat([repeat("x", 1000)], 5000)', 'VG'], ['repeat("x", 5000000)', 'v$']]
    harness.Do(child, 'enew! | call setline(1, ' .. lines .. ')')
    harness.Keys(child, keys)
    const size = harness.Eval(child, 'strlen(ide_companion#selection#Selected(mode(1)).selectedText)')
    Same(size > 16384 && size < 80000, true)
    harness.Keys(child, '\<Esc>')
  endfor
})

Test('the cursor counts UTF-16 units from 1', (child) => {
  harness.Do(child, 'call setline(1, "é😀b")')
  harness.Keys(child, '$')
  Same(harness.Eval(child, 'ide_companion#selection#Cursor()'), {line: 1, character: 4})
})
