vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Until = harness.Until
const Propose = harness.Propose
const Show = harness.Show

# A proposal whose file gets another first line, and is merged.
def Update(child: dict<any>, fields: dict<any> = {}): dict<any>
  return harness.Ask(child, 'companion/updateDiff', extend({
    id: '1',
    original: "one of a colleague\ntwo\nthree\n",
    notes: [],
    newContent: "one of a colleague\n2\nthree\n",
    seen: "one\n2\nthree\n",
    content: "one of a colleague\n2\nthree\n",
    facts: [],
    words: ['main.ts has changed on disk.', 'merged with the file as it is now', 'merged'],
  }, fields)).result
enddef

for name in ['vertical', 'unified']
  const layout = name
  Test('a file that changes under its proposal is merged in place, with the cursor where it was: ' .. layout, (child) => {
    harness.Do(child, 'let g:ide_companion.diff = #{layout: "' .. layout .. '"}')
    Propose(child)
    Show(child)
    Keys(child, 'Gll')
    Same(Update(child), {content: "one of a colleague\n2\nthree\n"})
    const texts = harness.Texts(child)
    Same(texts[-1], 'one of a colleague|2|three')
    if len(texts) > 1
      Same(texts[0], 'one of a colleague|two|three')
    endif
    Same(harness.Eval(child, '[line("."), col("."), &modified]'), [3, 3, 0])
    Until(child, 'execute("nmenu WinBar") =~ "merged"')
    Keys(child, ':w\<CR>')
    Same(harness.SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one of a colleague\n2\nthree\n"}])
  })
endfor

Test('what was typed stays when the file changes, and can be undone', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gofour\<Esc>')
  const content = "one of a colleague\n2\nthree\nfour\n"
  Same(Update(child, {seen: "one\n2\nthree\nfour\n", content: content}), {content: content})
  Same(harness.Eval(child, '&modified'), 1)
  Keys(child, 'uu')
  Same(harness.Texts(child)[1], 'one|2|three')
})

Test('nothing changes under a user who types, or who has typed more than the companion knows', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'i')
  Same(Update(child), {content: "one\n2\nthree\n"})
  Keys(child, '\<Esc>Gofour\<Esc>')
  Same(Update(child), {content: "one\n2\nthree\nfour\n"})
  Same(harness.Texts(child), ['one|two|three', 'one|2|three|four'])
})

Test('lines that clash are marked, and accepting them says why it is refused', (child) => {
  child.result = {taken: false, reason: 'Settle the marked lines first.'}
  Propose(child)
  Show(child)
  Update(child, {content: "<<<<<<< on disk\none\n=======\n2\n>>>>>>> proposed\n", words: ['It has.', 'clashes with the file', 'in conflict']})
  Until(child, 'execute("nmenu WinBar") =~ "clashes"')
  Keys(child, ':w\<CR>')
  Until(child, 'execute("messages") =~ "Settle the marked lines first."')
  Same(harness.Layout(child)[0], 2)
})

Test('an acceptance that has taken more with it says so', (child) => {
  child.result = {taken: true, notice: 'Accepted together with what has changed in main.ts meanwhile.'}
  Propose(child)
  harness.Do(child, 'IdeCompanion accept')
  Until(child, 'execute("messages") =~ "Accepted together with what has changed in main.ts meanwhile."')
})

Test('a file that becomes empty under its proposal is compared as it is', (child) => {
  Propose(child)
  Show(child)
  Update(child, {original: '', content: '', newContent: '', words: []})
  Same(harness.Texts(child), ['', ''])
  const content = "\uFEFFa\r\nb"
  Same(Update(child, {seen: '', content: content, newContent: content}), {content: content})
})
