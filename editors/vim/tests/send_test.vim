vim9script

import './harness.vim'
import './status.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const SentSo = harness.SentSo

# What the companion was asked to refer to, by message.
def Mentions(child: dict<any>, times: number): list<any>
  return SentSo(child, 'companion/send', times)->mapnew((_, sent) => sent.mentions)
enddef

def Said(child: dict<any>, text: string)
  harness.Until(child, printf('stridx(execute("messages"), "%s") >= 0', text))
enddef

# A folder with files, in netrw; an agent takes references. Returns its path.
def InNetrw(child: dict<any>, style: number): string
  const folder = fnamemodify(harness.File(child, 'a b.txt', "1\n"), ':h')
  harness.File(child, 'dir/inner.txt', "1\n")
  harness.File(child, 'z.txt', "1\n")
  child.results['companion/send'] = {message: 'The prompt of Toy has it'}
  harness.Start(child)
  harness.Do(child, 'runtime plugin/netrwPlugin.vim')
  harness.Do(child, 'let g:netrw_liststyle = ' .. style)
  harness.Do(child, 'Explore ' .. folder)
  harness.Until(child, '&filetype == "netrw"')
  return folder
enddef

# Opens a terminal with an agent that shows each byte as it comes, and returns to the file.
def StartAgent(child: dict<any>)
  harness.Do(child, 'let g:ide_companion.cmd = ["sh", "' .. child.folder .. '/cmd", "lsp"]')
  writefile(['[ "$1" = lsp ] && exec sh ' .. child.folder .. '/server', 'echo "agent $@"; stty -icanon -echo; exec cat -v'], child.folder .. '/cmd')
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
    const wanted = ['a b.txt', 'dir', 'z.txt']->mapnew((_, name) => [{path: folder .. '/' .. name}])
    Same(Mentions(child, 3), wanted)
    Said(child, 'The prompt of Toy has it')
  })
endfor

Test('netrw sends what is inside of a folder of its tree', (child) => {
  const folder = InNetrw(child, 3)
  harness.Do(child, 'call search("| dir")')
  Keys(child, '\<CR>')
  harness.Do(child, 'call search("inner")')
  Keys(child, ':IdeCompanion send\<CR>')
  Same(Mentions(child, 1), [[{path: folder .. '/dir/inner.txt'}]])
})

Test('netrw sends the files on several lines, or those that are marked', (child) => {
  const folder = InNetrw(child, 0)
  Keys(child, ':%IdeCompanion send\<CR>')
  const all = Mentions(child, 1)[0]->mapnew((_, each) => each.path)
  Same(sort(all[2 :]), ['a b.txt', 'dir', 'z.txt']->map((_, name) => folder .. '/' .. name))
  Keys(child, 'gg:IdeCompanion send\<CR>')
  Said(child, 'There is no file on this line.')
  harness.Do(child, 'call search("z.txt")')
  Keys(child, 'mf')
  harness.Do(child, 'call search("a b.txt")')
  Keys(child, ':IdeCompanion send\<CR>')
  Same(Mentions(child, 2)[1], [{path: folder .. '/z.txt'}])
})

Test('files and folders are sent by their names', (child) => {
  const path = harness.File(child, 'a.txt', "1\n2\n")
  const folder = fnamemodify(path, ':h')
  child.results['companion/send'] = {message: 'The prompt of Toy has it'}
  harness.Start(child)
  harness.Do(child, 'edit ' .. path)
  Keys(child, printf(':IdeCompanion send %s/ %%\<CR>', folder))
  Same(Mentions(child, 1), [[{path: folder}, {path: path}]])
  Same(harness.Eval(child, printf('getcompletion("IdeCompanion send %s/a", "cmdline")', folder)), [path])
})

Test('a file whose name looks like a pattern is sent as it is, also when it is ignored', (child) => {
  for name in ['[id].ts', 'i.ts', 'x.o', 'y.o', 'b c.txt', '#a#']
    harness.File(child, name, '')
  endfor
  const folder = child.folder .. '/files'
  child.results['companion/send'] = {message: 'The prompt of Toy has it'}
  harness.Start(child)
  harness.Do(child, 'cd ' .. folder)
  harness.Do(child, 'set wildignore=*.o')
  Keys(child, ':IdeCompanion send [id].ts x.o y.o #a#\<CR>')
  Same(Mentions(child, 1), [['[id].ts', 'x.o', 'y.o', '#a#']->mapnew((_, name) => ({path: folder .. '/' .. name}))])
  for typed in ['b', 'b\\ c']
    Same(harness.Eval(child, printf('getcompletion("IdeCompanion send %s", "cmdline")', typed)), ['b\ c.txt'])
  endfor
})

Test('what no connected agent takes is typed into the terminal here, as one paste', (child) => {
  const path = harness.File(child, 'a.txt', "1\n2\n3\n")
  const folder = fnamemodify(path, ':h')
  child.results['companion/send'] = {message: '', types: true, copy: "why \"so\" | slow?\n@a.txt (lines 2-3) "}
  harness.Do(child, 'edit ' .. path)
  harness.Do(child, 'cd ' .. folder)
  StartAgent(child)
  Keys(child, ':2,3IdeCompanion send_text\<CR>why "so" | slow?\<CR>')
  harness.Eventually(child, 'text', () => stridx(Terminal(child), '^[[200~why "so" | slow?') >= 0)
  harness.Eventually(child, 'paste', () => stridx(Terminal(child), '@a.txt (lines 2-3) ^[[201~') >= 0)
  Said(child, 'The prompt of Gemini CLI has it')
  const mention = {path: path, lines: {first: 2, last: 3}}
  const sent = {folder: folder, text: 'why "so" | slow?', mentions: [mention]}
  Same(SentSo(child, 'companion/send', 1), [sent])
})

Test('one line is a paste too, so that it answers no question that the agent asks', (child) => {
  harness.Do(child, 'edit ' .. harness.File(child, 'a.txt', "1\n2\n3\n"))
  child.results['companion/send'] = {message: '', types: true, copy: '@a.txt '}
  StartAgent(child)
  Keys(child, ':IdeCompanion send\<CR>')
  harness.Eventually(child, 'reference', () => stridx(Terminal(child), '^[[200~@a.txt ^[[201~') >= 0)
  Said(child, 'The prompt of Gemini CLI has it')
})

Test('without an agent in a terminal a text is copied, and an empty one is not', (child) => {
  child.results['companion/send'] = {message: 'No prompt can be reached: it is {place}', types: true, copy: 'explain this '}
  harness.Start(child)
  Keys(child, ':IdeCompanion send_text explain this\<CR>')
  Said(child, 'prompt can be reached: it is ')
  Keys(child, ':messages clear | IdeCompanion send_text\<CR>\<Esc>')
  Same(harness.Eval(child, '[getreg("\""), trim(execute("messages"))]'), ['explain this ', ''])
})

Test('what is kept from agents is neither typed nor copied, and the reason is shown', (child) => {
  child.results['companion/send'] = {message: '.env is kept from agents, and was not sent.'}
  StartAgent(child)
  Keys(child, ':IdeCompanion send_text why\<CR>')
  Said(child, '.env is kept from agents')
  Same([harness.Eval(child, 'getreg("\"")'), stridx(Terminal(child), 'why')], ['', -1])
})

Test('the diagnostics of lines are sent', (child) => {
  const path = harness.File(child, 'a.txt', "1\n2\n3\n")
  child.results['companion/send'] = {message: 'The prompt of Toy has it'}
  harness.Start(child)
  harness.Do(child, 'edit ' .. path)
  Keys(child, ':2,3IdeCompanion send_diagnostics\<CR>')
  Same(SentSo(child, 'companion/send', 1)[0].diagnostics, {path: path, lines: {first: 2, last: 3}})
  Said(child, 'The prompt of Toy has it')
})
