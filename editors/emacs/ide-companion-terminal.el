;;; ide-companion-terminal.el --- Agents in terminals of Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts an agent in Vterm, Eat or Term, and types references into its prompt.

;;; Code:

(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-roots)
(require 'ide-companion-selection)
(require 'ide-companion-server)
(require 'ide-companion-status)
(require 'ide-companion-text)

(declare-function dired-get-marked-files "dired")
(declare-function eat-make "eat")
(declare-function term-char-mode "term")
(declare-function vterm-mode "vterm")
(defvar vterm-kill-buffer-on-exit)
(defvar vterm-shell)

(defvar ide-companion--latest nil "The terminal that was opened last for an agent.")

(defun ide-companion--run-in-term (name command)
  "Run COMMAND in a terminal of Term called NAME."
  (let ((buffer (apply #'make-term (substring name 1 -1) (car command) nil (cdr command))))
    (with-current-buffer buffer
      (term-char-mode))
    (pop-to-buffer buffer)
    buffer))

(defun ide-companion--run-in-eat (name command)
  "Run COMMAND in a terminal of Eat called NAME."
  (let ((buffer (apply #'eat-make (substring name 1 -1) (car command) nil (cdr command))))
    (pop-to-buffer buffer)
    buffer))

(defun ide-companion--run-in-vterm (name command)
  "Run COMMAND in a terminal of Vterm called NAME."
  (let ((vterm-shell (mapconcat #'shell-quote-argument command " "))
        (buffer (get-buffer-create name)))
    (pop-to-buffer buffer)
    (vterm-mode)
    ;; The last output of an agent stays readable.
    (setq-local vterm-kill-buffer-on-exit nil)
    buffer))

(defun ide-companion--terminal-function ()
  "The function that opens a terminal."
  (pcase ide-companion-terminal
    ('vterm #'ide-companion--run-in-vterm)
    ('eat #'ide-companion--run-in-eat)
    ('term #'ide-companion--run-in-term)
    ('nil (cond ((fboundp 'vterm) #'ide-companion--run-in-vterm)
                ((fboundp 'eat) #'ide-companion--run-in-eat)
                (t #'ide-companion--run-in-term)))
    (function function)))

(defun ide-companion--run-now (agent arguments folder)
  "Start AGENT with ARGUMENTS in a terminal in FOLDER."
  (let ((default-directory (file-name-as-directory folder))
        (process-environment (append (mapcar (lambda (variable)
                                               (format "%s=%s" (car variable) (cdr variable)))
                                             (ide-companion-environment))
                                     process-environment))
        ;; The program of the server, with another command.
        (command (append (butlast ide-companion-command) (list "run" agent "--") arguments)))
    (setq ide-companion--latest
          (funcall (ide-companion--terminal-function)
                   (generate-new-buffer-name (format "*%s*" agent)) command))))

(defun ide-companion--run-when-ready (&rest action)
  "Call ACTION, a function and its arguments, when the variables are known."
  (let (wait)
    (setq wait (lambda (status)
                 (when (plist-get status :port)
                   (remove-hook 'ide-companion-status-functions wait)
                   (apply #'run-with-timer 0 nil action))))
    (add-hook 'ide-companion-status-functions wait)))

(defun ide-companion--run-folder ()
  "The folder in which an agent is started from the current buffer."
  (or (and (not (file-remote-p default-directory))
           (ide-companion--project-of (current-buffer)))
      (ide-companion--folder default-directory)
      (user-error "%s is not on this machine" default-directory)))

(defun ide-companion--await-agents (folder)
  "Start the program for FOLDER and wait for the names of the agents.
Give up after 5 seconds, or when the program cannot be started."
  (add-to-list 'ide-companion--run-folders folder)
  (ide-companion-start)
  (with-timeout (5)
    (while (and ide-companion--wanted (null ide-companion--agents))
      (accept-process-output nil 0.05))))

(defun ide-companion--read-agent ()
  "Ask for the name of an agent.  The program knows the names."
  (unless ide-companion--agents
    (ide-companion--await-agents (ide-companion--run-folder)))
  (let ((names (mapcar (lambda (agent) (plist-get agent :name)) ide-companion--agents)))
    (completing-read "Agent: " names nil nil nil nil (car names))))

;;;###autoload
(defun ide-companion-run (agent &optional arguments)
  "Start AGENT in a terminal of this Emacs.
It runs in the project of the current buffer.  With a prefix
argument, ask for ARGUMENTS, a list of strings."
  (interactive
   (list (ide-companion--read-agent)
         (and current-prefix-arg (split-string-and-unquote (read-string "Arguments: ")))))
  (let ((folder (ide-companion--run-folder)))
    (if (and ide-companion--status
             (ide-companion--roots-above folder))
        (ide-companion--run-now agent arguments folder)
      (add-to-list 'ide-companion--run-folders folder)
      (ide-companion--run-when-ready #'ide-companion--run-now agent arguments folder)
      (ide-companion-start))))

(defun ide-companion--reference (path folder lines)
  "PATH and its LINES as agents in FOLDER read them.
LINES is a cons of the first and the last, or nil for the whole file."
  (let* ((prefix (file-name-as-directory folder))
         (name (if (string-prefix-p prefix path) (substring path (length prefix)) path)))
    (concat "@" (replace-regexp-in-string "[ \t\\]" "\\\\\\&" name)
            (pcase lines
              ('nil "")
              (`(,first . ,(pred (= first))) (format "#L%d" first))
              (`(,first . ,last) (format "#L%d-L%d" first last))))))

(defun ide-companion--mention (path lines)
  "Let the program refer to LINES of PATH in a connected agent's prompt.
Return the agent's name, or nil when no connected agent supports that."
  (and (ide-companion--ready-p)
       (plist-get
        (ignore-errors ; an older program does not know it
          (ide-companion--fetch
           :companion/mention
           (append (list :path path)
                   (and lines
                        (list :range (list :start (list :line (car lines) :character 1)
                                           :end (list :line (1+ (cdr lines)) :character 1)))))))
        :agent)))

(defun ide-companion--type-reference (path lines)
  "Type a reference to PATH and its LINES into the terminal of the latest agent."
  (let ((process (and (buffer-live-p ide-companion--latest)
                      (get-buffer-process ide-companion--latest))))
    (unless (process-live-p process)
      (user-error "No agent here takes a reference.  Start one by M-x ide-companion-run"))
    (process-send-string
     process
     (concat (ide-companion--reference
              path (buffer-local-value 'default-directory ide-companion--latest) lines)
             " "))))

(defun ide-companion-send (first last)
  "Put a reference to the lines FIRST to LAST into an agent's prompt.
Interactively, use the lines of the region, or the current line.
All lines of a file are the file.  If no connected agent supports
that, type the reference into the terminal of the latest agent."
  (interactive (ide-companion--selected-lines))
  (let ((file (ide-companion--file-buffer (current-buffer))))
    (unless file (user-error "This buffer visits no file"))
    (let* ((path (ide-companion--file-name (buffer-file-name file)))
           (lines (unless (ide-companion--all-lines-p first last) (cons first last))))
      (ide-companion--send-reference path lines))))

(defun ide-companion--send-reference (path lines)
  "Put a reference to LINES of PATH, or to all of it, into an agent's prompt."
  (let ((agent (ide-companion--mention path lines)))
    (if agent
        (message "The prompt of %s has the reference" agent)
      (ide-companion--type-reference path lines))))

(defun ide-companion--read-files ()
  "The files that a command in this buffer is about.
In Dired, the marked ones, or the one at point; elsewhere, ask."
  (if (derived-mode-p 'dired-mode)
      (dired-get-marked-files)
    (list (read-file-name "Send: " nil buffer-file-name t))))

(defun ide-companion-send-files (files)
  "Put references to FILES, a list of names, into an agent's prompt.
Interactively, use the marked files of Dired or the one at point.
Elsewhere, ask for one."
  (interactive (list (ide-companion--read-files)))
  (let ((remote (car (ide-companion--filter #'file-remote-p files))))
    (when remote (user-error "%s is not on this machine" remote)))
  (dolist (file files)
    (ide-companion--send-reference (ide-companion--file-name (directory-file-name file)) nil)))

(defun ide-companion--all-lines-p (first last)
  "Whether FIRST to LAST are all lines of this buffer, and several."
  (save-restriction
    (widen)
    (and (= first 1)
         (> last first)
         (= last (line-number-at-pos (max (point-min) (1- (point-max))) t)))))

(provide 'ide-companion-terminal)
;;; ide-companion-terminal.el ends here
