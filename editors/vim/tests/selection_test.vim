vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same

def Select(child: dict<any>, lines: list<string>, keys: string): string
  harness.Do(child, 'enew! | call setline(1, ' .. string(lines) .. ')')
  harness.Keys(child, keys)
  return harness.Eval(child, 'ide_companion#selection#Text(mode(1))')
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

Test('of a huge selection no more is read than an agent takes', (child) => {
  for [lines, keys] in [['repeat([repeat("x", 1000)], 5000)', 'VG'], ['repeat("x", 5000000)', 'v$']]
    harness.Do(child, 'enew! | call setline(1, ' .. lines .. ')')
    harness.Keys(child, keys)
    const size = harness.Eval(child, 'strlen(ide_companion#selection#Text(mode(1)))')
    Same(size > 16384 && size < 80000, true)
    harness.Keys(child, '\<Esc>')
  endfor
})

Test('the cursor counts UTF-16 units from 1', (child) => {
  harness.Do(child, 'call setline(1, "é😀b")')
  harness.Keys(child, '$')
  Same(harness.Eval(child, 'ide_companion#selection#Cursor()'), {line: 1, character: 4})
})
