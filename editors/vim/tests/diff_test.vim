vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Until = harness.Until
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo

def Layout(child: dict<any>): list<number>
  return harness.Eval(child, '[tabpagenr("$"), len(getwininfo())]')
enddef

# Everything is as without a proposal.
def UntilGone(child: dict<any>)
  Until(child, 'tabpagenr("$") == 1 && empty(filter(getbufinfo(), {_, b -> b.name =~ "\\(Gemini CLI\\|On disk\\)[^/]*: "}))')
enddef

def Show(child: dict<any>)
  harness.Do(child, 'IdeCompanion diff')
enddef

def Texts(child: dict<any>): list<string>
  return harness.Eval(child, 'map(tabpagebuflist(), {_, b -> join(getbufline(b, 1, "$"), "|")})')
enddef

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

Test('writing all files from another tab decides nothing', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gox\<Esc>:tabfirst\<CR>:wall\<CR>')
  Until(child, 'execute("messages") =~ "accepted by :w in its own tab only"')
  Same(Sent(child, 'companion/diffAccepted'), [])
})

Test('what was typed into a proposal that is rejected is saved', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gomine\<Esc>:q!\<CR>')
  SentSo(child, 'companion/diffRejected', 1)
  Until(child, 'execute("messages") =~ "Rejected: main.ts. Your edits are saved in buffer"')
  Same(harness.Eval(child, 'getbufline(bufnr("Your text: main.ts"), 1, "$")'), ['one', '2', 'three', 'mine'])
})

Test('writing a copy elsewhere decides nothing', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gofour\<Esc>:w ' .. child.folder .. '/copy.ts\<CR>')
  Until(child, 'filereadable(' .. string(child.folder .. '/copy.ts') .. ')')
  Same(readfile(child.folder .. '/copy.ts', 'b'), ['one', '2', 'three', 'four', ''])
  Same(Sent(child, 'companion/diffAccepted'), [])
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

Test('closed by its agent it gives back its text, edits and all', (child) => {
  Propose(child)
  Show(child)
  Keys(child, 'Gofour\<Esc>')
  const answer = harness.Ask(child, 'companion/closeDiff', {id: '1', reason: 'agent'})
  Same(answer.result, {content: "one\n2\nthree\nfour\n"})
  UntilGone(child)
  Same(Sent(child, 'companion/diffRejected'), [])
})

Test('who types into a diff that its agent closes does not type on into something else', (child) => {
  harness.Do(child, 'call setline(1, "mine")')
  Propose(child)
  Show(child)
  Keys(child, 'Gofour')
  Same(harness.Eval(child, 'mode()'), 'i')
  const answer = harness.Ask(child, 'companion/closeDiff', {id: '1', reason: 'agent'})
  Same(answer.result, {content: "one\n2\nthree\nfour\n"})
  UntilGone(child)
  Same(harness.Eval(child, '[mode(), getline(1, "$"), line("''[") <= 1]'), ['n', ['mine'], 1])
})

Test('two proposals, also for one file, do not clash', (child) => {
  Propose(child, {id: '1', newContent: "a\n"})
  Propose(child, {id: '2', newContent: "b\n", agent: 'Qwen Code'})
  Same(Layout(child), [3, 5])
  Same(harness.Eval(child, 'mode()'), 'n')
  harness.Do(child, 'IdeCompanion accept')
  SentSo(child, 'companion/diffAccepted', 1)
  Until(child, 'tabpagenr("$") == 2')
  harness.Do(child, 'IdeCompanion reject')
  Same(Sent(child, 'companion/diffAccepted'), [{id: '1', content: "a\n"}])
  Same(SentSo(child, 'companion/diffRejected', 1), [{id: '2'}])
  UntilGone(child)
})

Test('who types goes on typing', (child) => {
  Keys(child, 'ihello')
  Propose(child)
  Keys(child, ' world')
  Same(harness.Eval(child, '[mode(), getline("."), tabpagenr("$")]'), ['i', 'hello world', 2])
  Keys(child, '\<Esc>u')
  Same(harness.Eval(child, 'getline(".")'), '')
})

Test('what is repeated is what was typed before and after a proposal', (child) => {
  Keys(child, 'ihello')
  Propose(child)
  Keys(child, ' world\<Esc>')
  Same(harness.Eval(child, '[getline(1), @.]'), ['hello world', 'hello world'])
})

Test('who types into a terminal goes on typing', (child) => {
  Keys(child, ':terminal ++curwin cat\<CR>')
  Until(child, 'mode() ==# "t"')
  Propose(child)
  Keys(child, 'typed\<CR>')
  Until(child, 'mode() ==# "t" && join(getline(1, "$")) =~ "typed"')
  Same(harness.Eval(child, 'tabpagenr("$")'), 2)
})

const unfinished = {v: '\<Esc>', d: '\<Esc>', f: '\<Esc>', '"': '\<Esc>', ':echo 1': '\<Esc>', 'q:': ':q\<CR>',
  ':echo "a\\nb"\<CR>': '\<CR>', 'i\<C-X>': '\<C-E>\<Esc>'}
for [begin, end] in items(unfinished)
  const keys = [begin, end]
  Test(keys[0] .. ' is not disturbed, and its end is waited for', (child) => {
    harness.Do(child, 'call setline(1, "one two")')
    Keys(child, keys[0])
    const before = harness.Eval(child, '[mode(1), getcmdline(), getcmdwintype()]')
    Propose(child)
    Same(harness.Eval(child, '[mode(1), getcmdline(), getcmdwintype()]'), before)
    Same(Layout(child)[0], 1)
    Keys(child, keys[1])
    Until(child, 'tabpagenr("$") == 2')
    Same(harness.Eval(child, 'getline(1)'), 'one two')
  })
endfor

Test("the user's options, layout, positions and registers are as before", (child) => {
  const files = ['a', 'b', 'c']->mapnew((_, name) => harness.File(child, name, repeat("text\n", 9)))
  for command in ['set hidden', 'edit ' .. files[0], 'tabedit ' .. files[1], 'edit ' .. files[2], 'vsplit', 'wincmd l',
      'setlocal number nowrap', 'set eventignore=FileChangedShell', 'set laststatus=1', 'normal! 5Gmayy3G/text' .. "\r"]
    harness.Do(child, command)
  endfor
  const state = '[winlayout(), winrestcmd(), bufname("#"), bufname(), winnr("#"), &number, &wrap, &diff,'
    .. ' &foldmethod, &eventignore, &lazyredraw, &diffopt, &laststatus, getpos("."), getpos("''a"), getjumplist()[0],'
    .. ' @", @/, v:hlsearch, getreginfo(), winsaveview(), &modified, v:errmsg, getchangelist()]'
  const before = harness.Eval(child, state)
  Same(harness.Eval(child, 'tabpagenr("#")'), 1)
  Propose(child)
  Same(harness.Eval(child, state), before)
  Same(harness.Eval(child, 'tabpagenr("#")'), 1)
  Show(child)
  Keys(child, ':w\<CR>')
  Until(child, 'tabpagenr("$") == 2')
  Same(harness.Eval(child, state), before)
})

for layout in ['vertical', 'unified']
  const name = layout
  Test('nothing of a strange window is found in the ' .. name .. ' diff, and nothing of the diff in it', (child) => {
    harness.Do(child, 'let g:ide_companion.diff = #{layout: ' .. string(name) .. '}')
    harness.Do(child, 'set number statusline=mine')
    harness.Do(child, 'diffsplit other')
    harness.Do(child, 'setlocal nonumber winfixheight spell statusline=other')
    const options = '["number", "winfixheight", "spell", "statusline", "diff", "scrollbind", "foldmethod"]'
    const all = printf('map(tabpagebuflist(), {n, _ -> map(%s, {_, name -> getwinvar(n + 1, "&" .. name)})})', options)
    const before = harness.Eval(child, all)
    Propose(child)
    Show(child)
    const is_diff = name == 'vertical' ? 1 : 0
    Same(harness.Eval(child, all)[-1][: 5], [1, 0, 0, 'mine', is_diff, is_diff])
    Keys(child, ':w\<CR>')
    UntilGone(child)
    Same(harness.Eval(child, all), before)
  })
endfor

Test('a new file has the whole tab, and its folder is not made', (child) => {
  Propose(child, {filePath: '/nowhere/deep/new.lua', label: 'deep/new.lua', original: null, notes: ['This is a new file.']})
  Show(child)
  Same(Texts(child), ['one|2|three'])
  Same(isdirectory('/nowhere'), 0)
  harness.Eventually(child, 'bar', () => harness.Screen(child)
    =~ '  :w accepts    :q rejects    Gemini CLI proposes deep/new.lua    This is a new file.')
})

Test('unsaved edits of the file are mentioned and not touched', (child) => {
  const path = harness.File(child, 'a b#%[.txt', "old\n")
  harness.Eval(child, printf('execute("edit " .. fnameescape(%s), "")', string(path)))
  Keys(child, 'Aunsaved\<Esc>')
  Propose(child, {filePath: path, label: 'a b#%[.txt', original: "old\n"})
  Show(child)
  harness.Eventually(child, 'label', () => harness.Screen(child) =~ 'a b#%\[.txt on disk .*unsaved changes')
  Keys(child, ':q\<CR>')
  SentSo(child, 'companion/diffRejected', 1)
  UntilGone(child)
  Same(harness.Eval(child, '[getline("."), &modified]'), ['oldunsaved', 1])
})

Test('the buffer of an accepted file follows what its agent writes', (child) => {
  const path = harness.File(child, 'a.txt', "old\n")
  harness.Do(child, 'edit ' .. path)
  Propose(child, {filePath: path, newContent: "new\n", original: "old\n"})
  harness.Do(child, 'IdeCompanion accept')
  UntilGone(child)
  writefile(['new and longer'], path)
  Until(child, 'getline(".") == "new and longer"')
  Same(harness.Eval(child, 'mode(1)'), 'n')
})

Test('a buffer with unsaved edits does not follow', (child) => {
  const path = harness.File(child, 'a.txt', "old\n")
  harness.Do(child, 'edit ' .. path)
  Keys(child, 'A!\<Esc>')
  Propose(child, {filePath: path, newContent: "new\n", original: "old\n"})
  harness.Do(child, 'IdeCompanion accept')
  UntilGone(child)
  writefile(['new and longer'], path)
  Until(child, 'empty(timer_info())')
  Same(harness.Eval(child, '[getline("."), mode(1)]'), ['old!', 'n'])
})

Test("tabs, status lines and buffers have the file's name and whose proposal it is", (child) => {
  Propose(child, {filePath: '/app/src/main.ts', label: 'src/main.ts'})
  harness.Eventually(child, 'tab', () => harness.Screen(child) =~ ' 2 Gemini CLI: main.ts ')
  Show(child)
  harness.Eventually(child, 'status lines', () => harness.Screen(child) =~ '\nOn disk: main.ts .* Gemini CLI: main.ts ')
  harness.Do(child, 'lcd /') # names are not made relative to another folder
  Same(harness.Eval(child, 'bufname()'), 'Gemini CLI: main.ts')
  Propose(child, {id: '2', filePath: '/app/other/main.ts', label: 'other/main.ts'})
  Show(child)
  Same(harness.Eval(child, 'bufname()'), 'Gemini CLI (2): main.ts')
  Keys(child, ':w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1)[0].id, '2')
})

Test('a proposal for a file that is known by its whole name is highlighted', (child) => {
  harness.Do(child, 'filetype on')
  Propose(child, {filePath: '/app/my app/Makefile', label: 'Makefile'})
  Show(child)
  Same(harness.Eval(child, '&filetype'), 'make')
})

const bars = {
  190: ':w accepts    :q rejects    Gemini CLI proposes    \]c next change, do reverts it ',
  120: ':w accepts    :q rejects    Gemini CLI proposes *$',
  80: ':w accepts    :q rejects *$',
  60: ':w accepts    :q rejects *$',
  44: ':w yes    :q no *$',
}
for [key, bar] in items(bars)
  const columns = key
  const expected = bar
  Test(printf('at %s columns the keys are whole and come first', columns), (child) => {
    const wanted = '|  ' .. expected
    term_setsize(child.terminal, 30, str2nr(columns))
    Until(child, '&columns == ' .. columns)
    Propose(child)
    Show(child)
    harness.Eventually(child, 'bar', () => term_getline(child.terminal, 2) =~ wanted)
  })
endfor

for keys in ['i', 'R', 'v']
  const typed = keys
  Test('a proposal that comes after ' .. typed .. ' is announced when that ends', (child) => {
    harness.Start(child)
    Keys(child, typed)
    Propose(child)
    Same(harness.Eval(child, 'execute("messages") =~ "proposes"'), 0)
    Keys(child, '\<Esc>')
    harness.Eventually(child, 'announcement', () => term_getline(child.terminal, 30)
      =~ ':IdeCompanion diff   Gemini CLI proposes main.ts')
  })
endfor

for options in ['autoread', 'noautoread', 'nomodifiable nowrite']
  const given = options
  Test('a file that its agent writes at once is current in its buffer with ' .. given, (child) => {
    const path = harness.File(child, 'a.txt', "old\n")
    harness.Do(child, 'set ' .. given)
    harness.Do(child, 'edit ' .. path)
    child.OnDecision = () => {
      writefile(['123'], path)
    }
    Same(Propose(child, {filePath: path, newContent: "123\n", original: "old\n"}).result, null)
    Show(child)
    Keys(child, 'ZZ')
    Until(child, 'getline(".") == "123" && !&modified')
    Same(harness.Eval(child, 'mode(1)'), 'n')
  })
endfor

Test('the buffer of a file that was not there follows what its agent writes', (child) => {
  const path = child.folder .. '/b.txt'
  harness.Do(child, 'edit ' .. path)
  child.OnDecision = () => {
    writefile(['new'], path)
  }
  Propose(child, {filePath: path, newContent: "new\n", original: null})
  harness.Do(child, 'IdeCompanion accept')
  Until(child, 'getline(".") == "new" && !&modified')
})

# An accepted proposal was written under unsaved changes. Returns the path of the file.
def Conflict(child: dict<any>): string
  const path = harness.File(child, 'a.txt', "one\n\ntwo\n")
  harness.Do(child, 'edit ' .. path)
  Keys(child, 'ggImy \<Esc>')
  child.OnDecision = () => {
    writefile(['one', '', '2'], path)
  }
  Propose(child, {filePath: path, newContent: "one\n\n2\n", original: "one\n\ntwo\n"})
  harness.Do(child, 'IdeCompanion accept')
  Until(child, 'execute("messages") =~ ":IdeCompanion merge   main.ts was written"')
  return path
enddef

Test(':w of unsaved changes does not write over what was accepted, and asks nothing', (child) => {
  const path = Conflict(child)
  Keys(child, ':w\<CR>')
  Until(child, 'execute("messages") =~ ":IdeCompanion merge, or :w! "')
  Same(readfile(path), ['one', '', '2'])
  Keys(child, ':checktime\<CR>')
  Same(harness.Eval(child, '[mode(1), getline(1), &modified]'), ['n', 'my one', 1])
  Keys(child, ':w ' .. path .. '.mine\<CR>')
  Until(child, printf('filereadable("%s.mine")', path))
  Same([readfile(path), readfile(path .. '.mine')], [['one', '', '2'], ['my one', '', 'two']])
  Keys(child, ':w!\<CR>')
  Until(child, '!&modified')
  Same(readfile(path), ['my one', '', 'two'])
  Keys(child, '0x:w\<CR>') # all is as before
  Until(child, '!&modified')
  Same(readfile(path), ['y one', '', 'two'])
})

Test(':e! takes what was accepted', (child) => {
  const path = Conflict(child)
  Keys(child, ':e!\<CR>Gx:w\<CR>')
  Until(child, '!&modified')
  Same(readfile(path), ['one', '', ''])
})

Test(':IdeCompanion merge compares unsaved changes with what was accepted, and :w saves the result', (child) => {
  const path = Conflict(child)
  Keys(child, ':IdeCompanion merge\<CR>')
  Same(Texts(child), ['one||2', 'my one||two'])
  Same(harness.Eval(child, '[tabpagenr("$"), bufname()]'), [2, path])
  harness.Eventually(child, 'bar', () => harness.Screen(child) =~ ':w saves this side')
  Keys(child, 'Gdo:w\<CR>')
  Until(child, 'len(getwininfo()) == 1')
  Same(readfile(path), ['my one', '', '2'])
  Same(harness.Eval(child, '[&diff, &modified]'), [0, 0])
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
