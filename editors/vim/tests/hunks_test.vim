vim9script

import './harness.vim'
import autoload 'ide_companion/hunks.vim'

const Test = harness.Test
const Same = harness.Same

def Of(before: string, after: string): list<list<number>>
  return hunks.Between(split(before, '\zs'), split(after, '\zs'))
enddef

# What makes `after` of `before`.
def Applied(before: list<string>, after: list<string>): list<string>
  var lines = copy(before)
  for [base_start, base_count, start, count] in reverse(hunks.Between(before, after))
    if base_count > 0
      remove(lines, base_start - 1, base_start + base_count - 2)
    endif
    extend(lines, count > 0 ? after[start - 1 : start + count - 2] : [], base_start - 1)
  endfor
  return lines
enddef

Test('equal texts have no hunk', (_) => {
  Same(Of('abc', 'abc'), [])
  Same(Of('', ''), [])
})

Test('lines that are new, gone, or other ones are found where they are', (_) => {
  Same(Of('abc', 'abxc'), [[3, 0, 3, 1]])
  Same(Of('abc', 'ac'), [[2, 1, 2, 0]])
  Same(Of('abc', 'axc'), [[2, 1, 2, 1]])
  Same(Of('abc', ''), [[1, 3, 1, 0]])
  Same(Of('', 'abc'), [[1, 0, 1, 3]])
})

Test('a way with the fewest edits is found where no line is the only one of its kind', (_) => {
  const edits = Of('abcabba', 'cbabac')->mapnew((_, hunk) => hunk[1] + hunk[3])
  Same(reduce(edits, (sum, count) => sum + count, 0), 5)
})

Test('the hunks make one text of the other, whatever the texts', (_) => {
  var seed = 1
  for round in range(300)
    var texts: list<list<string>> = [[], []]
    for index in range(round % 40)
      seed = (seed * 1103515245 + 12345) % 2147483648
      add(texts[seed / 65536 % 2], nr2char(97 + seed / 131072 % (1 + round % 20)))
    endfor
    Same(Applied(texts[0], texts[1]), texts[1])
  endfor
})

Test('large texts with many changes are compared in time', (_) => {
  const before = range(50000)->mapnew((_, index) => 'line ' .. index)
  var after = copy(before)
  for index in range(0, 49999, 100)
    after[index] = 'changed'
  endfor
  const start = reltime()
  Same(len(hunks.Between(before, after)), 500)
  # A second or two, where nothing else runs.
  Same(reltimefloat(reltime(start)) < 30, true)
  const other = repeat(['same', 'other'], 20000)
  Same(Applied(other, repeat(['same'], 30000)), repeat(['same'], 30000))
})
