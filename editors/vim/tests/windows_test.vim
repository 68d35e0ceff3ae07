vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Until = harness.Until
const Propose = harness.Propose
const SentSo = harness.SentSo
const Layout = harness.Layout
const UntilGone = harness.UntilGone
const Show = harness.Show
const Texts = harness.Texts

Test('who types goes on typing', (child) => {
  Keys(child, 'ihello')
  Propose(child)
  Keys(child, ' world')
  Same(harness.Eval(child, '[mode(), getline("."), tabpagenr("$")]'), ['i', 'hello world', 2])
  Keys(child, '\<Esc>u')
  Same(harness.Eval(child, 'getline(".")'), '')
})

Test('who types is led to a proposal, if they want that, when they have stopped typing', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = #{focus: v:true}')
  Keys(child, 'ihello')
  Propose(child)
  Keys(child, ' world')
  Same(harness.Eval(child, 'getline(".")'), 'hello world')
  Keys(child, '\<Esc>')
  Until(child, 'getline(".") == "2"')
  Keys(child, ':w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1)[0].content, "one\n2\nthree\n")
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
  120: ':w accepts    :q rejects    Gemini CLI proposes    \]c next *$',
  80: ':w accepts    :q rejects    Gemini CLI *$',
  60: ':w accepts    :q rejects *$',
  44: ':w yes    :q no    G *$',
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
      =~ 'Gemini CLI proposes main.ts   :IdeCompanion diff')
  })
endfor
