vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Until = harness.Until
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo
const Layout = harness.Layout
const UntilGone = harness.UntilGone
const Show = harness.Show
const Texts = harness.Texts

Test("a proposal opens a tab of two windows in the background", (child) => {
  harness.Do(child, 'filetype on')
  const before = harness.Eval(child, 'win_getid()')
  Same(Propose(child).result, null)
  Same(harness.Eval(child, 'win_getid()'), before)
  Same(Layout(child), [2, 3])
  Show(child)
  Same(Texts(child), ['one|two|three', 'one|2|three'])
  Same(harness.Eval(child, '[&diff, &filetype, &modifiable, line("."), &foldmethod]'), [1, 'typescript', 1, 2, 'diff'])
})

Test('writing accepts with what was typed, and brings the user back', (child) => {
  const before = harness.Eval(child, 'win_getid()')
  Propose(child, {newContent: "one\n2", original: "one\n"})
  Show(child)
  Keys(child, 'GA!\<Esc>:w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one\n2!"}])
  UntilGone(child)
  Same(harness.Eval(child, 'win_getid()'), before)
})

for keys in [':wq\<CR>', 'ZZ', ':x\<CR>']
  const typed = keys
  Test(typed .. ' accepts and does not reject as well', (child) => {
    Propose(child)
    Show(child)
    Keys(child, 'Gox\<Esc>' .. typed)
    SentSo(child, 'companion/diffAccepted', 1)
    UntilGone(child)
    Same(Sent(child, 'companion/diffRejected'), [])
  })
endfor

for keys in ['ZZ', ':x\<CR>', ':xit\<CR>', ':wq\<CR>', ':w\<CR>']
  const typed = keys
  Test(typed .. ' accepts what nothing was typed into', (child) => {
    Propose(child)
    Show(child)
    Keys(child, typed)
    Same(SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one\n2\nthree\n"}])
    UntilGone(child)
    Same(Sent(child, 'companion/diffRejected'), [])
  })
endfor

for abandoned in ['\<Esc>', '\<C-U>echo\<CR>']
  const rest = abandoned
  Test(':x' .. rest .. ' is no decision', (child) => {
    Propose(child)
    Show(child)
    Keys(child, ':x' .. rest .. ':q\<CR>')
    SentSo(child, 'companion/diffRejected', 1)
    UntilGone(child)
    Same(Sent(child, 'companion/diffAccepted'), [])
  })
endfor

for command in ['q', 'q!', 'tabclose', 'bdelete!', 'bwipeout!', 'close', 'wincmd h | q']
  const typed = command
  Test(':' .. typed .. ' rejects', (child) => {
    Propose(child)
    Show(child)
    Keys(child, ':' .. typed .. '\<CR>')
    Same(SentSo(child, 'companion/diffRejected', 1), [{id: '1'}])
    UntilGone(child)
    Same(len(Sent(child, 'companion/diffRejected')), 1)
  })
endfor

Test(':only leaves the proposal alone in its tab, and decides nothing', (child) => {
  Propose(child)
  Show(child)
  Keys(child, ':only\<CR>')
  Same(Texts(child), ['one|2|three'])
  Keys(child, ':w\<CR>')
  SentSo(child, 'companion/diffAccepted', 1)
  UntilGone(child)
  Same(Sent(child, 'companion/diffRejected'), [])
})

Test(':only in the original closes the proposal, which rejects', (child) => {
  Propose(child)
  Show(child)
  Keys(child, '\<C-W>h:only\<CR>')
  SentSo(child, 'companion/diffRejected', 1)
  UntilGone(child)
})

for [start, text] in [['', 'one|2|three'], ['\<C-W>h', 'one|two|three']]
  Test(printf('CTRL-W T moves a side of the proposal, and decides nothing: after "%s"', start), (child) => {
    Propose(child)
    Show(child)
    Keys(child, start .. '\<C-W>T')
    Same([Texts(child), harness.Eval(child, 'tabpagenr("$")')], [[text], 3])
    Show(child)
    Keys(child, ':w\<CR>')
    SentSo(child, 'companion/diffAccepted', 1)
    UntilGone(child)
    Same(Sent(child, 'companion/diffRejected'), [])
  })
endfor

Test('the next proposal is gone to from the one before', (child) => {
  Propose(child, {id: '1', newContent: "a\n"})
  Propose(child, {id: '2', newContent: "b\n"})
  var seen: list<string> = []
  for _ in range(3)
    Show(child)
    add(seen, Texts(child)[1])
  endfor
  Same(seen, ['a', 'b', 'a'])
})

Test('a proposal may be gone to as soon as it comes', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = #{focus: v:true}')
  Propose(child)
  Same(Texts(child)[1], 'one|2|three')
  Keys(child, ':w\<CR>')
  UntilGone(child)
})

Test('what was put into the window of a proposal stays, and the proposal is shown again', (child) => {
  Propose(child)
  Show(child)
  Keys(child, ':enew\<CR>ihers\<Esc>:IdeCompanion diff\<CR>')
  Same(Texts(child)[1], 'one|2|three')
  Keys(child, ':w\<CR>')
  SentSo(child, 'companion/diffAccepted', 1)
  Until(child, 'empty(filter(getbufinfo(), {_, b -> b.name =~ "\\(Gemini CLI\\|On disk\\)[^/]*: "}))')
  Same(harness.Eval(child, '[getline(1), &diff, tabpagenr(), tabpagenr("$")]'), ['hers', 0, 2, 2])
})

Test(':e! brings back what was proposed', (child) => {
  Propose(child, {newContent: "one\n2"})
  Show(child)
  Keys(child, 'ggdG:e!\<CR>')
  Same(Texts(child)[1], 'one|2')
  Keys(child, ':w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one\n2"}])
  UntilGone(child)
  Same(Sent(child, 'companion/diffRejected'), [])
})

for command in ['silent !true', 'silent make', 'wincmd h | silent make']
  const typed = command
  Test(":" .. typed .. " accepts no proposal, also with 'autowrite'", (child) => {
    harness.Do(child, 'set autowrite autowriteall makeprg=true')
    Propose(child)
    Same(harness.Eval(child, '&autowrite'), 1)
    Show(child)
    Keys(child, 'Gohalf an ed\<Esc>:' .. typed .. '\<CR>')
    Keys(child, '\<C-W>bGAit\<Esc>:w\<CR>')
    Same(SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one\n2\nthree\nhalf an edit\n"}])
    UntilGone(child)
    Same(harness.Eval(child, '[&autowrite, &autowriteall]'), [1, 1])
  })
endfor

Test("who goes from tab to tab has 'autowrite' in all but that of a proposal", (child) => {
  harness.Do(child, 'set autowrite')
  Propose(child)
  Keys(child, 'gt')
  Same(harness.Eval(child, '[&autowrite, &autowriteall]'), [0, 0])
  Keys(child, 'gt')
  Same(harness.Eval(child, '[&autowrite, &autowriteall]'), [1, 0])
  Keys(child, 'gt:tabonly\<CR>:IdeCompanion reject\<CR>')
  Until(child, '&autowrite')
})

Test('Vim ends with a proposal open, unless something was typed into it', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gofour\<Esc>gT:wqa\<CR>')
  Until(child, 'execute("messages") =~ "accepted by :w in its own tab only"')
  Keys(child, ':qa\<CR>')
  Until(child, 'execute("messages") =~ "E37:\\|E162:"')
  Same(Texts(child)[1], 'one|2|three|four') # where the complaint is
  Keys(child, '\<CR>:IdeCompanion reject\<CR>')
  Until(child, 'tabpagenr("$") == 1')
  Propose(child, {id: '2'})
  Same(Sent(child, 'companion/diffAccepted'), [])
  ch_sendraw(child.questions, json_encode(['normal', ":qa\r"]) .. "\n")
  harness.HasEnded(child)
})

Test('other plugins can distinguish a proposal from a file', (child) => {
  Propose(child)
  Show(child)
  Same(harness.Eval(child, '[&buftype, b:ide_companion]'), ['acwrite', {agent: 'Gemini CLI', path: '/app/main.ts'}])
})

Test('what was typed into a proposal that is rejected is saved', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gomine\<Esc>:q!\<CR>')
  SentSo(child, 'companion/diffRejected', 1)
  Until(child, 'execute("messages") =~ "Closed, which rejects it: main.ts. Your edits are saved in buffer"')
  Same(harness.Eval(child, 'getbufline(bufnr("Your text: main.ts"), 1, "$")'), ['one', '2', 'three', 'mine'])
})

Test('the maps of the diff decide, and exist nowhere else', (child) => {
  Propose(child)
  Same(harness.Eval(child, 'maparg("\\a", "n")'), '')
  Show(child)
  Keys(child, '\\a')
  SentSo(child, 'companion/diffAccepted', 1)
  UntilGone(child)
  Same(harness.Eval(child, 'maparg("\\a", "n")'), '')
})

Test('a decision that does not count leaves the diff open, and a message says why', (child) => {
  child.result = {taken: false, reason: 'too late'}
  Propose(child)
  Show(child)
  Keys(child, ':wq\<CR>')
  Until(child, 'execute("messages") =~ "too late"')
  Until(child, 'tabpagenr("$") == 2 && len(getwininfo()) == 3')
})

Test('14 proposals take one tab, with the name of the file, and each has its turn there', (child) => {
  term_setsize(child.terminal, 30, 80)
  Until(child, '&columns == 80')
  for number in range(1, 14)
    Propose(child, {id: string(number), label: printf('file %d.txt', number), newContent: number .. "\nb\nc\n"})
  endfor
  const ShowsTab = (name: string) => harness.Eventually(child, name, () => term_getline(child.terminal, 1)
    =~ '^ \[No Name\] \(|\|\) *2+\= Gemini CLI: ' .. name .. ' [_ ]*X$')
  ShowsTab('file 1.txt')
  Keys(child, ':IdeCompanion next\<CR>j\\n')
  ShowsTab('file 2.txt')
  Same(Texts(child)[1], '2|b|c')
  Keys(child, 'Gotyped\<Esc>\\p')
  Same([Texts(child)[1], harness.Eval(child, 'line(".")')], ['1|b|c', 2])
  Keys(child, ':w\<CR>')
  Until(child, 'bufname() == ""')
  ShowsTab('file 2.txt')
  Same(Sent(child, 'companion/diffRejected'), [])
  for number in range(2, 14)
    harness.Ask(child, 'companion/closeDiff', {id: string(number), words: 'Gemini CLI has taken this back'})
  endfor
  UntilGone(child)
})

Test('two proposals, also for one file, do not clash', (child) => {
  Propose(child, {id: '1', newContent: "a\n"})
  Propose(child, {id: '2', newContent: "b\n", agent: 'Qwen Code'})
  Same(Layout(child), [2, 3])
  Same(harness.Eval(child, 'mode()'), 'n')
  Show(child)
  harness.Do(child, 'IdeCompanion accept')
  SentSo(child, 'companion/diffAccepted', 1)
  Until(child, 'bufname() == ""')
  harness.Do(child, 'IdeCompanion reject')
  Same(Sent(child, 'companion/diffAccepted'), [{id: '1', content: "a\n"}])
  Same(SentSo(child, 'companion/diffRejected', 1), [{id: '2'}])
  UntilGone(child)
})

for command in ['accept', 'reject', 'say_why']
  const typed = command
  Test(':IdeCompanion ' .. typed .. ' from elsewhere decides about none of several that were not seen', (child) => {
    Propose(child, {id: '1', newContent: "a\n"})
    Propose(child, {id: '2', newContent: "b\n"})
    Keys(child, ':IdeCompanion ' .. typed .. '\<CR>')
    Until(child, 'execute("messages") =~ "2 proposals wait, and this is the oldest: main.ts"')
    Same([Sent(child, 'companion/diffAccepted'), Sent(child, 'companion/diffRejected')], [[], []])
    Same(harness.Texts(child)[1], 'a')
  })
endfor

Test('a window that is closed says that this rejects', (child) => {
  Propose(child)
  Show(child)
  Keys(child, ':tabclose\<CR>')
  Until(child, 'execute("messages") =~ "Closed, which rejects it: main.ts."')
})

Test('user autocommands run for each event', (child) => {
  harness.Do(child, 'let g:events = []')
  harness.Do(child, 'autocmd User IdeCompanionDiff* call add(g:events, expand("<amatch>") .. " " .. g:ide_companion_event.path)')
  Propose(child)
  harness.Do(child, 'IdeCompanion reject')
  UntilGone(child)
  Until(child, 'len(g:events) == 2')
  Same(harness.Eval(child, 'g:events'),
    ['IdeCompanionDiffOpened /app/main.ts', 'IdeCompanionDiffRejected /app/main.ts'])
})

Test('a text that Vim cannot hold is left to the browser', (child) => {
  harness.Start(child)
  for escaped in ['\u0000', '\ud800', '\\\u0000']
    harness.TellJson(child, '{"jsonrpc":"2.0","id":9,"method":"companion/openDiff","params":{"id":"1","agent":"G",'
      .. '"filePath":"/a","label":"a","original":null,"notes":[],"newContent":"x' .. escaped .. '"}}')
    harness.Eventually(child, 'answer', () => has_key(child.answers, '9'))
    Same(remove(child.answers, '9').error.message, 'Vim cannot hold a character of a')
  endfor
  Same(Propose(child, {newContent: 'x\u0000 \\u0000 \ud800'}).result, null)
})

for layout in ['vertical', 'unified']
  const name = layout
  Test('a text of many megabytes comes and goes, also when the layout is to be ' .. name, (child) => {
    harness.Do(child, 'let g:ide_companion.diff = #{layout: ' .. string(name) .. '}')
    const text = repeat("line é😀 of a large file\n", 200000)
    Propose(child, {newContent: text, original: "line\n" .. text})
    Show(child)
    Same(Layout(child), [2, 3])
    Keys(child, 'GA!\<Esc>:w\<CR>')
    Same(SentSo(child, 'companion/diffAccepted', 1)[0].content ==# text[: -2] .. "!\n", true)
  })
endfor
