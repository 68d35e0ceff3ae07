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
  const answer = harness.Ask(child, 'companion/closeDiff', {id: '1', words: 'Gemini CLI has taken this back'})
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
  harness.Ask(child, 'companion/closeDiff', {id: '1', words: 'Gemini CLI has replaced this'})
enddef

# The user is back, and nothing of what was typed has reached their file.
def ExpectUntouched(child: dict<any>)
  UntilGone(child)
  Same(harness.Eval(child, '[mode(1), getline(1, "$"), line("''[") <= 1]'), ['n', ['my file', 'of more lines'], 1])
enddef

# How the user types, leaves what they type, and what is there then.
const typed = {
  Gofour: [' more\<Esc>', ['one', '2', 'three', 'four more']],
  R: ['XX\<Esc>', ['one', 'XX', 'three']],
  gh: ['X\<Esc>', ['one', 'X', 'three']],
  '\<C-W>sGofour': [' more\<Esc>', ['one', '2', 'three', 'four more']],
}
for [before, after] in items(typed)
  const [keys, rest] = [before, after]
  Test('who types ' .. keys .. ' into a diff that its agent closes ends their words there', (child) => {
    CloseUnder(child, keys)
    Same(harness.Eval(child, 'tabpagenr("$")'), 2)
    Keys(child, rest[0])
    ExpectUntouched(child)
    harness.Until(child, 'execute("messages") =~ "Gemini CLI has replaced this: main.ts. Your edits are saved in"')
    Same(harness.Eval(child, 'getbufline("Your text: main.ts", 1, "$")'), rest[1])
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
