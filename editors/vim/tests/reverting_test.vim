vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo
const Layout = harness.Layout
const UntilGone = harness.UntilGone
const Show = harness.Show

Test('a hunk is reverted by do, in every layout', (child) => {
  for layout in ['vertical', 'horizontal', 'unified']
    harness.Do(child, 'let g:ide_companion.diff = #{layout: ' .. string(layout) .. '}')
    Propose(child, {id: layout, newContent: "one\n2\nthree\n4\n", original: "one\ntwo\nthree\nfour\n"})
    Show(child)
    Keys(child, ']cdo:w\<CR>')
    UntilGone(child)
  endfor
  const accepted = Sent(child, 'companion/diffAccepted')
  Same(mapnew(accepted, (_, each) => each.id), ['vertical', 'horizontal', 'unified'])
  Same(mapnew(accepted, (_, each) => each.content), repeat(["one\n2\nthree\nfour\n"], 3))
})

Test('dp in the original takes a change back too', (child) => {
  Propose(child, {newContent: "1\ntwo\n3\n", original: "one\ntwo\nthree\n"})
  Show(child)
  Keys(child, '\<C-W>hggdp\<C-W>l:w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one\ntwo\n3\n"}])
})

Test('in the unified layout do reverts lines that came, went or changed, at both ends', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = #{layout: "unified"}')
  const cases = [
    ["new\none\n", "one\n", 'gg'],
    ["one\n", "gone\none\n", 'gg'],
    ["one\nnew\n", "one\n", 'G'],
    ["one\n", "one\ngone\n", 'G'],
    ["1\n", "one\n", 'gg'],
    ['', "one\n", 'gg'],
  ]
  for number in range(len(cases))
    const [proposed, original, keys] = cases[number]
    Propose(child, {id: string(number), newContent: proposed, original: original})
    Show(child)
    Keys(child, keys .. 'do:w\<CR>')
    Same(SentSo(child, 'companion/diffAccepted', number + 1)[number].content, original)
    UntilGone(child)
  endfor
})

Test('in the unified layout lines that went from the top are to be seen, also after scrolling', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = #{layout: "unified"}')
  const text = repeat("line\n", 100)
  Propose(child, {newContent: text, original: "gone\n\ttoo\n" .. text})
  Show(child)
  for keys in ['', 'Ggg', 'jddk']
    Keys(child, keys)
    harness.Eventually(child, 'lines in order', () =>
      range(3, 5)->mapnew((_, row) => substitute(term_getline(child.terminal, row), ' *$', '', '')) == ['gone', '        too', 'line'])
  endfor
})

Test('the unified layout shows what is replaced between the lines', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = #{layout: "unified"}')
  Propose(child, {newContent: "1\ntwo\n", original: "one\ntwo\n\tthree\n"})
  Show(child)
  Same(Layout(child), [2, 2])
  harness.Eventually(child, 'label', () => harness.Screen(child) =~ 'Gemini CLI proposes main.ts')
  const Rows = () => range(3, 6)->mapnew((_, row) => trim(term_getline(child.terminal, row)))
  harness.Eventually(child, 'lines in order', () => Rows() == ['one', '1', 'two', 'three'])
  Keys(child, 'Gdo')
  harness.Eventually(child, 'the same, by other means', () => Rows() == ['one', '1', 'two', 'three'])
  Keys(child, ':w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1)[0].content, "1\ntwo\n\tthree\n")
})
