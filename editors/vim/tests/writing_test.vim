vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Until = harness.Until
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo
const Show = harness.Show

Test('writing all files from another tab decides nothing', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gox\<Esc>:tabfirst\<CR>:wall\<CR>')
  Until(child, 'execute("messages") =~ "accepted by :w in its own tab only"')
  Same(Sent(child, 'companion/diffAccepted'), [])
})

for command in ['w', 'saveas']
  const typed = command
  Test('writing a copy by :' .. typed .. ' decides nothing', (child) => {
    Propose(child)
    Show(child)
    harness.Do(child, 'cd ' .. child.folder)
    Keys(child, 'Gofour\<Esc>:' .. typed .. ' copy.ts\<CR>')
    Until(child, 'filereadable(' .. string(child.folder .. '/copy.ts') .. ')')
    Same(readfile(child.folder .. '/copy.ts', 'b'), ['one', '2', 'three', 'four', ''])
    Same(Sent(child, 'companion/diffAccepted'), [])
    harness.Do(child, 'IdeCompanion accept')
    SentSo(child, 'companion/diffAccepted', 1)
  })
endfor

Test('a copy that cannot be written says so in one line', (child) => {
  Propose(child)
  Show(child)
  Keys(child, ':w /nowhere/copy.ts\<CR>')
  Until(child, 'execute("messages") =~ "E482: Can.t create file /nowhere/copy.ts"')
  Same([harness.Eval(child, 'mode(1)'), harness.Eval(child, 'execute("messages")') =~ 'Error detected'], ['n', false])
})

for command in ['w', 'e!', 'w other']
  const typed = command
  Test('who types :' .. typed .. ' into a proposal that its agent closes sees no error', (child) => {
    Propose(child)
    Show(child)
    Keys(child, ':' .. typed)
    harness.Ask(child, 'companion/closeDiff', {id: '1', reason: 'agent'})
    Keys(child, '\<CR>')
    harness.UntilGone(child)
    Same([harness.Eval(child, 'mode(1)'), harness.Eval(child, 'execute("messages")') =~ 'E\d\+:'], ['n', false])
    Same(Sent(child, 'companion/diffAccepted'), [])
  })
endfor
