vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Propose = harness.Propose
const Sent = harness.Sent
const UntilGone = harness.UntilGone
const Show = harness.Show

Test('closed by its agent it gives back its text, edits and all', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gofour\<Esc>')
  const answer = harness.Ask(child, 'companion/closeDiff', {id: '1', reason: 'agent'})
  Same(answer.result, {content: "one\n2\nthree\nfour\n"})
  UntilGone(child)
  Same(Sent(child, 'companion/diffRejected'), [])
})

# A proposal in which the user types, and which its agent closes then.
def CloseUnder(child: dict<any>, keys: string)
  harness.Do(child, 'call setline(1, ["my file", "of more lines"])')
  Propose(child)
  Show(child)
  Keys(child, keys)
  harness.Ask(child, 'companion/closeDiff', {id: '1', reason: 'agent'})
enddef

# The user is back, and nothing of what was typed has reached their file.
def ExpectUntouched(child: dict<any>)
  UntilGone(child)
  Same(harness.Eval(child, '[mode(1), getline(1, "$"), line("''[") <= 1]'), ['n', ['my file', 'of more lines'], 1])
enddef

for keys in ['Gofour', 'Gofour\<C-O>', 'R', 'gh', '\<C-W>sGofour']
  const typed = keys
  Test('who types ' .. typed .. ' into a diff that its agent closes does not type on into something else', (child) => {
    CloseUnder(child, typed)
    ExpectUntouched(child)
  })
endfor

for [before, after] in items({ggd: 'd', ':%s/e/XX/g': '\<CR>', ':1,$d': '\<CR>'})
  const [begin, rest] = [before, after]
  Test('who is typing ' .. begin .. ' in a diff that its agent closes finishes it there', (child) => {
    CloseUnder(child, begin)
    Keys(child, rest)
    ExpectUntouched(child)
  })
endfor
