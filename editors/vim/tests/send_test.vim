vim9script

import './harness.vim'
import './status.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const SentSo = harness.SentSo

def Said(child: dict<any>, text: string)
  harness.Until(child, printf('stridx(execute("messages"), "%s") >= 0', text))
enddef

# A folder with files, in netrw; an agent takes references. Returns its path.
def InNetrw(child: dict<any>, style: number): string
  const folder = fnamemodify(harness.File(child, 'a b.txt', "1\n"), ':h')
  harness.File(child, 'dir/inner.txt', "1\n")
  harness.File(child, 'z.txt', "1\n")
  child.results['companion/mention'] = {agent: 'Toy'}
  harness.Start(child)
  harness.Do(child, 'runtime plugin/netrwPlugin.vim')
  harness.Do(child, 'let g:netrw_liststyle = ' .. style)
  harness.Do(child, 'Explore ' .. folder)
  harness.Until(child, '&filetype == "netrw"')
  return folder
enddef

# Opens a terminal with an agent that goes on, and returns to the file.
def StartAgent(child: dict<any>)
  harness.Do(child, 'let g:ide_companion.cmd = ["sh", "' .. child.folder .. '/cmd", "lsp"]')
  writefile(['[ "$1" = lsp ] && exec sh ' .. child.folder .. '/server', 'echo "agent $@"; exec cat'], child.folder .. '/cmd')
  status.Tell(child)
  harness.Do(child, 'IdeCompanion run gemini')
  harness.Eventually(child, 'agent', () => harness.Screen(child) =~ 'agent run gemini')
  harness.Do(child, 'wincmd p')
enddef

# What the terminal of the agent shows, in one line.
def Terminal(child: dict<any>): string
  return harness.Eval(child, 'join(getbufline("Gemini CLI", 1, "$"), "")')
enddef

for style in [0, 1, 3]
  const liststyle = style
  Test('netrw sends the file or folder on a line, in list style ' .. style, (child) => {
    const folder = InNetrw(child, liststyle)
    for name in ['a b.txt', 'dir', 'z.txt']
      harness.Do(child, 'call cursor(7, 1)') # behind the banner
      harness.Do(child, printf('call search("%s")', name))
      Keys(child, ':IdeCompanion send\<CR>')
    endfor
    const wanted = ['a b.txt', 'dir', 'z.txt']->map((_, name) => ({path: folder .. '/' .. name}))
    Same(SentSo(child, 'companion/mention', 3), wanted)
    Said(child, 'The prompt of Toy has the reference')
  })
endfor

Test('netrw sends what is inside of a folder of its tree', (child) => {
  const folder = InNetrw(child, 3)
  harness.Do(child, 'call search("| dir")')
  Keys(child, '\<CR>')
  harness.Do(child, 'call search("inner")')
  Keys(child, ':IdeCompanion send\<CR>')
  Same(SentSo(child, 'companion/mention', 1), [{path: folder .. '/dir/inner.txt'}])
})

Test('netrw sends the files on several lines, or those that are marked', (child) => {
  const folder = InNetrw(child, 0)
  Keys(child, ':%IdeCompanion send\<CR>')
  const all = SentSo(child, 'companion/mention', 5)->mapnew((_, each) => each.path)
  Same(sort(all[2 :]), ['a b.txt', 'dir', 'z.txt']->map((_, name) => folder .. '/' .. name))
  Keys(child, 'gg:IdeCompanion send\<CR>')
  Said(child, 'There is no file on this line.')
  harness.Do(child, 'call search("z.txt")')
  Keys(child, 'mf')
  harness.Do(child, 'call search("a b.txt")')
  Keys(child, ':IdeCompanion send\<CR>')
  Same(SentSo(child, 'companion/mention', 6)[5 :], [{path: folder .. '/z.txt'}])
})

Test('files and folders are sent by their names', (child) => {
  const path = harness.File(child, 'a.txt', "1\n2\n")
  const folder = fnamemodify(path, ':h')
  child.results['companion/mention'] = {agent: 'Toy'}
  harness.Start(child)
  harness.Do(child, 'edit ' .. path)
  Keys(child, printf(':IdeCompanion send %s/ %%\<CR>', folder))
  Same(SentSo(child, 'companion/mention', 2), [{path: folder}, {path: path}])
  Same(harness.Eval(child, printf('getcompletion("IdeCompanion send %s/a", "cmdline")', folder)), [path])
})

Test('several references that no agent takes are typed into its terminal at once', (child) => {
  const path = harness.File(child, 'a.txt', "1\n2\n")
  child.results['companion/mention'] = {}
  harness.Do(child, 'cd ' .. fnamemodify(path, ':h'))
  StartAgent(child)
  Keys(child, ':IdeCompanion send a.txt b\<CR>')
  harness.Eventually(child, 'references', () => Terminal(child) =~ '@a.txt @b')
})

Test('a text is typed into the terminal of the agent, after a reference to lines', (child) => {
  const path = harness.File(child, 'a.txt', "1\n2\n3\n")
  harness.Do(child, 'edit ' .. path)
  harness.Do(child, 'cd ' .. fnamemodify(path, ':h'))
  StartAgent(child)
  Keys(child, ':IdeCompanion send_text explain this\<CR>')
  harness.Eventually(child, 'text', () => Terminal(child) =~ '[^ ]explain this')
  Said(child, 'Your text: in the prompt of Gemini CLI')
  Keys(child, ':2,3IdeCompanion send_text\<CR>why "so" | slow?\<CR>')
  harness.Eventually(child, 'text', () => Terminal(child) =~ '@a.txt#L2-L3 why "so" | slow?')
})

Test('without an agent in a terminal a text is copied, and an empty one is not', (child) => {
  harness.Start(child)
  Keys(child, ':IdeCompanion send_text explain this\<CR>')
  Said(child, 'Your text: ')
  Said(child, ', because no agent runs in a terminal of Vim')
  Keys(child, ':messages clear | IdeCompanion send_text\<CR>\<Esc>')
  Same(harness.Eval(child, '[getreg("\""), trim(execute("messages"))]'), ['explain this', ''])
})

Test('the diagnostics of lines are typed with a reference', (child) => {
  const path = harness.File(child, 'a.txt', "1\n2\n3\n")
  harness.Do(child, 'edit ' .. path)
  harness.Do(child, 'cd ' .. fnamemodify(path, ':h'))
  harness.Do(child, printf('call setqflist(['
    .. '#{filename: ''%s'', lnum: 3, type: "W", text: "late"}, #{filename: ''%s'', lnum: 2, type: "E", text: "two"},'
    .. '#{filename: ''%s'', lnum: 1, type: "E", text: "first"}, #{filename: ''/x'', lnum: 2, type: "E", text: "other"}])',
    path, path, path))
  StartAgent(child)
  Keys(child, ':2,3IdeCompanion send_diagnostics\<CR>')
  const wanted = '@a.txt#L2-L3 L2 error: two; L3 warning: late'
  harness.Eventually(child, 'diagnostics', () => stridx(Terminal(child), wanted) >= 0)
  harness.Do(child, 'call setqflist([])')
  Keys(child, ':IdeCompanion send_diagnostics\<CR>')
  Said(child, 'There are no diagnostics on these lines.')
})
