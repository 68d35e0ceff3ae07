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

# How plugins save files.
const plugins = {
  'in an autocommand': 'autocmd InsertLeave * ++nested silent! write',
  'of all files': 'autocmd TextChanged * ++nested silent! wall',
  'by a timer': 'call timer_start(5, {-> execute("silent! update")}, {"repeat": -1})',
}
for [before, after] in items(plugins)
  const [name, plugin] = [before, after]
  Test('a plugin that saves ' .. name .. ' accepts no half-typed change', (child) => {
    Propose(child)
    Show(child)
    harness.Do(child, plugin)
    Keys(child, 'Gohalf\<Esc>')
    harness.Eval(child, 'execute("sleep 60m")')
    Keys(child, 'oan edit\<Esc>')
    harness.Eval(child, 'execute("sleep 60m")')
    Same(Sent(child, 'companion/diffAccepted'), [])
    Keys(child, ':w\<CR>')
    Same(SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one\n2\nthree\nhalf\nan edit\n"}])
  })
endfor

for map in ['<Cmd>w<CR>', ':w<CR>', ':call execute("write")<CR>']
  const typed = map
  Test("a key of the user's that writes accepts: " .. typed, (child) => {
    Propose(child)
    Show(child)
    harness.Do(child, 'nnoremap Q ' .. typed)
    Keys(child, 'Q')
    SentSo(child, 'companion/diffAccepted', 1)
    harness.UntilGone(child)
  })
endfor

Test('after :saveas the proposal has its own name, and :w accepts it', (child) => {
  Propose(child)
  Show(child)
  Keys(child, ':saveas ' .. child.folder .. '/copy.ts\<CR>')
  Until(child, 'bufname() == "Gemini CLI: main.ts"')
  Keys(child, ':w\<CR>')
  SentSo(child, 'companion/diffAccepted', 1)
})

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
    harness.Do(child, 'cd ' .. child.folder)
    Keys(child, ':' .. typed)
    harness.Ask(child, 'companion/closeDiff', {id: '1', words: 'Gemini CLI has taken this back'})
    Keys(child, '\<CR>')
    harness.UntilGone(child)
    Same([harness.Eval(child, 'mode(1)'), harness.Eval(child, 'execute("messages")') =~ 'E\d\+:'], ['n', false])
    Same(Sent(child, 'companion/diffAccepted'), [])
  })
endfor
