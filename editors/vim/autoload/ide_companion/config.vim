vim9script
# The options: the defaults, overridden by g:ide_companion.

const defaults = {
  # How the server is started.
  cmd: ['ide-companion', 'lsp'],
  # With the first file; else by `:IdeCompanion start`.
  auto_start: true,
  # A function that returns the workspace folders; by default the repository of the working directory.
  root: null,
  # What agents do not receive, besides what nobody shares: patterns as in a .gitignore, and what git ignores.
  exclude: [],
  exclude_git_ignored: false,
  # Whether agents may accept their own changes.
  agent_accept: true,
  diff: {
    layout: 'vertical',
    # Go to a proposal as soon as it comes and the user does not type.
    focus: false,
    # The agents whose proposals open in the browser, and not here.
    # Only inside of the diff.
    keys: {
      accept: '<LocalLeader>a',
      reject: '<LocalLeader>r',
      # On a line, or on selected ones.
      comment: '<LocalLeader>c',
      ask_more: '<LocalLeader>A',
      say_why: '<LocalLeader>R',
      # To another proposal.
      next: '<LocalLeader>n',
      previous: '<LocalLeader>p',
    },
  },
  # Where `:IdeCompanion run` shows an agent; the size is in columns or lines, below 1 a fraction of the screen. In tmux,
  # agents outlast Vim.
  terminal: {position: 'right', size: null, tmux: false},
  # A function that returns diagnostics in the format of getqflist().
  diagnostics: null,
}

const layouts = ['vertical', 'horizontal', 'unified']
const positions = ['right', 'left', 'above', 'below', 'tab']

def IsSwitch(value: any): bool
  return type(value) == v:t_bool || (type(value) == v:t_number && index([0, 1], value) >= 0)
enddef

def IsText(value: any): bool
  return type(value) == v:t_string && !empty(value)
enddef

def IsKey(value: any): bool
  return type(value) == v:t_string || (IsSwitch(value) && !value)
enddef

def IsSize(value: any): bool
  return value == null || (index([v:t_number, v:t_float], type(value)) >= 0 && value > 0)
enddef

def IsWords(value: any): bool
  return type(value) == v:t_list && empty(filter(copy(value), (_, word) => !IsText(word)))
enddef

def IsFunction(value: any): bool
  return value == null || type(value) == v:t_func
enddef

def IsGroup(value: any): bool
  return type(value) == v:t_dict
enddef

# Whether a value is valid, and what a valid one is, of options whose default does not tell.
const checks: dict<list<any>> = {
  cmd: [(value) => IsWords(value) && len(value) > 1 && value[-1] ==# 'lsp', 'a list of words that ends with "lsp"'],
  root: [IsFunction, 'a function that returns a list of folders'],
  exclude: [IsWords, 'a list of patterns'],
  'diff.layout': [(value) => IsText(value) && index(layouts, value) >= 0, '"vertical", "horizontal" or "unified"'],
  'terminal.position': [
    (value) => IsText(value) && index(positions, value) >= 0,
    '"right", "left", "above", "below" or "tab"',
  ],
  'terminal.size': [IsSize, 'a number above 0'],
  diagnostics: [IsFunction, 'a function that returns a list as getqflist() has it'],
}

def CheckOf(path: string, default: any): list<any>
  return has_key(checks, path) ? checks[path] : type(default) == v:t_dict ? [IsGroup, 'a dictionary']
    : type(default) == v:t_string ? [IsKey, 'a key, or false'] : [IsSwitch, 'true or false']
enddef

# The defaults, with what is given in their place. Throws a message on the first wrong option.
def Merge(base: dict<any>, given: dict<any>, prefix = ''): dict<any>
  var merged = deepcopy(base)
  for [name, value] in items(given)
    const path = prefix .. name
    if !has_key(base, name)
      throw printf('there is no option %s', path)
    endif
    const [Fits, wanted] = CheckOf(path, base[name])
    if !Fits(value)
      throw printf('%s must be %s, got %s', path, wanted, string(value))
    endif
    merged[name] = type(base[name]) == v:t_dict ? Merge(base[name], value, path .. '.') : value
  endfor
  return merged
enddef

# The current options. Throws a message on the first wrong option.
export def Options(): dict<any>
  const given = get(g:, 'ide_companion', {})
  if type(given) != v:t_dict
    throw 'ide-companion: g:ide_companion must be a dictionary, got ' .. string(given)
  endif
  try
    return Merge(defaults, given)
  catch /^\%(Vim\)\@!/
    throw printf('ide-companion: %s. See :help ide-companion-options', v:exception)
  endtry
  return {}
enddef
