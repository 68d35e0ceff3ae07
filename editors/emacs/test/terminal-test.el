;;; terminal-test.el --- Agents in terminals of Emacs -*- lexical-binding: t; -*-

;;; Commentary:

;; Which agents there are, and one terminal for each.

;;; Code:

(require 'fixture)

(defconst ide-companion-test-agents
  '((:name "one" :displayName "Agent One" :command "sh") (:name "two" :displayName "Agent Two" :command "no-such-agent"))
  "Agents that a program may name.")

(ide-companion-deftest "agents are those that the program names"
  (let ((ide-companion--agents nil)
        (ide-companion--connection 'connection)
        (ide-companion--initialized nil)
        asked)
    (ide-companion--on-initialized
     'connection
     (list :capabilities
           (list :experimental (list :ideCompanion (list :version 1 :agents (vconcat ide-companion-test-agents)))))
     nil)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ names &rest rest) (setq asked (list names (car (last rest)))) "two")))
      (should (equal (ide-companion--read-agent) "two")))
    (should (equal asked '(("one" "two") "one")))
    (ide-companion-doctor)
    (should (string-search "Agent One is installed" (buffer-string)))
    (should (string-search "Agent Two (no-such-agent) is not in `exec-path'" (buffer-string)))))

(ide-companion-deftest "before the first start the program is started for the names of the agents"
  (let ((ide-companion--agents nil)
        (ide-companion--wanted nil)
        (ide-companion--run-folders nil)
        names)
    (cl-letf (((symbol-function 'ide-companion-start)
               (lambda ()
                 (setq ide-companion--wanted t)
                 (run-with-timer 0.1 nil (lambda () (setq ide-companion--agents ide-companion-test-agents)))))
              ((symbol-function 'completing-read) (lambda (_ candidates &rest _) (setq names candidates) "one")))
      (let ((default-directory ide-companion-test-folder))
        (should (equal (ide-companion--read-agent) "one"))))
    (should (equal names '("one" "two")))
    (should (= 1 (length ide-companion--run-folders)))))

(ide-companion-deftest "an agent that runs is shown instead of started again, and hidden from inside"
  (let* ((ide-companion--status '(:port 1))
         (ide-companion--latest nil)
         (ide-companion--agents '((:name "one" :displayName "Agent One" :resumeArguments ["--resume" "latest"])
                                  (:name "two" :displayName "Agent Two")))
         (default-directory ide-companion-test-folder)
         commands
         (ide-companion-terminal
          (lambda (name command)
            (push (cdr (member "run" command)) commands)
            (let ((buffer (get-buffer-create name)))
              (pop-to-buffer buffer)
              (setq default-directory ide-companion-test-folder)
              (make-process :name "agent" :buffer buffer :command '("cat") :connection-type 'pipe :noquery t)
              buffer))))
    (cl-letf (((symbol-function 'ide-companion--roots-above) #'always)
              ((symbol-function 'ide-companion--run-folder) (lambda () ide-companion-test-folder)))
      (ide-companion-run "one")
      (should (equal (ide-companion-test-layout) '("*scratch*" "*one*")))
      (ide-companion-run "one")
      (should (equal (ide-companion-test-layout) '("*scratch*")))
      (ide-companion-continue "one")
      (should (equal (buffer-name) "*one*"))
      (should (equal commands '(("one" "--"))))
      (ide-companion-run "one" '("-i" "hello"))
      (should (equal (buffer-name) "*one*<2>"))
      (mapc (lambda (name) (delete-process (get-buffer-process name))) '("*one*" "*one*<2>"))
      (ide-companion-continue "one")
      (should (equal commands '(("one" "--" "--resume" "latest") ("one" "--" "-i" "hello") ("one" "--"))))
      (should-error (ide-companion-continue "two") :type 'user-error))))

(ide-companion-deftest "agents run in tmux if the user wants it, and no token is an argument"
  (let* ((ide-companion--status '(:port 4711 :env (:IDE_TEST_PORT "4711" :IDE_TEST_TOKEN "s3cret")))
         (ide-companion--latest nil)
         (ide-companion-terminal-tmux t)
         (process-environment (cons "TMUX=/outer,1,0" process-environment))
         (default-directory ide-companion-test-folder)
         words outer
         (ide-companion-terminal
          (lambda (name command)
            (setq words command
                  outer (getenv "TMUX"))
            (get-buffer-create name))))
    (cl-letf (((symbol-function 'executable-find) (lambda (name) (concat "/bin/" name)))
              ((symbol-function 'ide-companion-environment)
               (lambda () '(("IDE_TEST_PORT" . "4711") ("IDE_TEST_TOKEN" . "s3cret")))))
      (ide-companion--run-now "one" '("fix;") default-directory)
      (should-not outer)
      (should (equal (seq-take words 4) '("tmux" "new-session" "-A" "-s")))
      (should (string-match-p "\\`one-[[:alnum:]_-]+-[0-9a-f]\\{6\\}\\'" (nth 4 words)))
      (let ((all (string-join words " ")))
        (dolist (part '("-e IDE_TEST_PORT=4711 " "-e IDE_TEST_TOKEN= " "run one -- fix\\; ; set-option -t"))
          (should (string-search part all)))
        (should-not (string-search "s3cret" all)))
      (cl-letf (((symbol-function 'executable-find) #'ignore))
        (ide-companion--run-now "one" nil default-directory)
        (should (equal (last words 3) '("run" "one" "--")))))))

(provide 'terminal-test)
;;; terminal-test.el ends here
