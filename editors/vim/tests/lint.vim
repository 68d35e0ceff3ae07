vim9script
# vim -es -Nu NONE -i NONE --cmd 'set rtp^=editors/vim' -S editors/vim/tests/lint.vim
# There is no linter for Vim9 script but its compiler. It compiles a function when it is first called, with what it knows
# then of other scripts; so each function is compiled in a Vim that has loaded nothing but its script.

const root = expand('<sfile>:p:h:h')

# What is newer than Vim 9.0.1378.
const too_new = '\<\%(foreach\|getregion\|strutf16len\|utf16idx\|instanceof\|'
  .. 'base64_encode\|str2blob\|blob2str\|getcellpixels\|ngettext\|matchstrlist\|diff\)(\|'
  .. '\<\%(class\|interface\|enum\)\>\s'

# $IDE_TEST_REPORT is for a caller with a standard output that cannot be opened by name.
def Print(text: string)
  writefile(split(text, "\n"), $IDE_TEST_REPORT ?? '/dev/stdout', 'a')
enddef

# Runs commands in another Vim. Returns what they have printed.
def InAnother(...commands: list<string>): string
  const words = [v:progpath, '-es', '-Nu', 'NONE', '-i', 'NONE', '--cmd', 'set verbose=1 rtp^=' .. root]
  const all = words + commands->mapnew((_, command) => ['-c', command])->flattennew() + ['-c', 'qall!']
  return system(mapnew(all, (_, word) => shellescape(word))->join())
enddef

# Of a script that is loaded alone.
def FunctionsOf(script: string): list<string>
  const listed = InAnother('source ' .. script, 'set verbose=0', 'verbose function')
  return split(listed, "\n")->map((_, line) => matchstr(line, '^def \zs[^(]*'))->filter((_, name) => name != '')
enddef

def FaultsOf(script: string, functions: list<string>): list<string>
  const compile_all = printf('for name in %s | execute "defcompile" name | endfor', string(functions))
  const printed = InAnother('source ' .. script, compile_all)
  const reported = split(printed, "\n")->filter((_, line) => line !~ 'does not need compiling')
  var faults = printed =~ 'E\d\+:' ? [join(reported, "\n")] : []
  const lines = readfile(script)
  for line in filter(copy(lines), (_, line) => line !~ '^\s*#' && line =~# too_new)
    add(faults, 'newer than Vim 9.0.1378: ' .. line)
  endfor
  if script =~ 'autoload' && match(lines, '=> {$') >= 0 && lines[-1] != 'defcompile'
    # Compiled later, in a callback, its lines would scroll the screen.
    add(faults, 'a lambda of several lines, and no defcompile at the end')
  endif
  return faults
enddef

var failed = 0
const scripts = glob(root .. '/plugin/*.vim', true, true) + glob(root .. '/autoload/**/*.vim', true, true)
for script in scripts
  const functions = FunctionsOf(script)
  const faults = FaultsOf(script, functions)
  failed += len(faults)
  Print(printf('%s: %d functions', strpart(script, len(root) + 1), len(functions)))
  Print(join(faults, "\n"))
endfor
Print(printf('%d scripts, %d faults', len(scripts), failed))
execute failed == 0 ? 'qall!' : 'cquit 1'
