;;; send-test.el --- What is sent to agents -*- lexical-binding: t; -*-

;;; Commentary:

;; By the program, by a terminal here, or by the kill ring.

;;; Code:

(require 'fixture)

(defun ide-companion-test-agent ()
  "Start a terminal of an agent that shows what it is sent, and return its buffer."
  (let ((terminal (generate-new-buffer "terminal")))
    (with-current-buffer terminal
      (setq default-directory ide-companion-test-folder)
      (make-process :name "agent" :buffer terminal :command '("cat") :connection-type 'pipe))
    terminal))

(defun ide-companion-test-mentions ()
  "What the program was asked to refer to, by message, oldest first."
  (mapcar (lambda (params) (append (plist-get params :mentions) nil))
          (ide-companion-test-sent :companion/send)))

(ide-companion-deftest "what no connected agent takes is typed into the terminal here, and copied where there is none"
  (let* ((terminal (ide-companion-test-agent))
         (ide-companion--latest terminal)
         (ide-companion-test-result '(:message "It is {place}" :copy "@a.txt " :types t)))
    (find-file (ide-companion-test-file "a.txt" "1\n2\n3\n4\n"))
    (ide-companion-send 2 3)
    (ide-companion-test-until
     (lambda () (with-current-buffer terminal (string-suffix-p "\e[200~@a.txt \e[201~" (buffer-string)))))
    (should (equal (car ide-companion-test-said) "The prompt in terminal has it"))
    (let ((ide-companion-test-result '(:message "" :copy "why?\n@a.txt " :types t)))
      (ide-companion-send-text "why?" 1 4)
      (ide-companion-test-until
       (lambda () (with-current-buffer terminal
                    (string-suffix-p "\e[200~why?\n@a.txt \e[201~" (buffer-string))))))
    (should (equal (mapcar (lambda (params) (plist-get params :folder)) (ide-companion-test-sent :companion/send))
                   (make-list 2 (directory-file-name ide-companion-test-folder))))
    (let ((ide-companion--latest nil))
      (ide-companion-send 1 1)
      (should (equal (current-kill 0) "@a.txt "))
      (should (string-prefix-p "It is in the kill ring" (car ide-companion-test-said))))))

(ide-companion-deftest "what is kept from agents is neither typed nor copied, and the reason is shown"
  (let* ((terminal (ide-companion-test-agent))
         (ide-companion--latest terminal)
         (ide-companion-test-result '(:message ".env is kept from agents, and was not sent.")))
    (find-file (ide-companion-test-file ".env" "1\n"))
    (ide-companion-send 1 1)
    (should (equal (car ide-companion-test-said) ".env is kept from agents, and was not sent."))
    (should (equal (with-current-buffer terminal (buffer-string)) ""))
    (should-not kill-ring)))

(ide-companion-deftest "the program puts a reference into the prompt of an agent that supports it"
  (let ((ide-companion-test-result '(:message "The prompt of Another Agent has it"))
        (path (ide-companion-test-file "a b.txt" "1\n2\n3\n")))
    (find-file path)
    (ide-companion-send 2 3)
    (should (equal (car ide-companion-test-said) "The prompt of Another Agent has it"))
    (let ((transient-mark-mode t))
      (goto-char 3)
      (push-mark 5 t t)
      (call-interactively #'ide-companion-send)
      (mark-whole-buffer)
      (call-interactively #'ide-companion-send))
    (should (equal (ide-companion-test-mentions)
                   `(((:path ,path :lines (:first 2 :last 3)))
                     ((:path ,path :lines (:first 2 :last 2)))
                     ((:path ,path)))))))

(ide-companion-deftest "references to marked files of Dired, or else to the one at point, are put into a prompt"
  (let ((ide-companion-test-result '(:message "The prompt of Another Agent has it"))
        (one (ide-companion-test-file "one.txt" "1\n"))
        (two (ide-companion-test-file "two.txt" "2\n")))
    (ide-companion-test-file "three.txt" "3\n")
    (dired ide-companion-test-folder)
    (dired-goto-file two)
    (call-interactively #'ide-companion-send-files)
    (should (equal (ide-companion-test-mentions) `(((:path ,two)))))
    (dired-mark 1)
    (dired-goto-file one)
    (dired-mark 1)
    (call-interactively #'ide-companion-send-files)
    (should (equal (sort (mapcar #'cadr (cadr (ide-companion-test-mentions))) #'string<)
                   (list one two)))
    (should (equal (car ide-companion-test-said) "The prompt of Another Agent has it"))
    (should-error (ide-companion-send-files '("/ssh:host:/file")) :type 'user-error)))

(ide-companion-deftest "outside of Dired a file is asked for"
  (let ((ide-companion-test-result '(:message "The prompt of Another Agent has it"))
        (path (ide-companion-test-file "a.txt" "1\n")))
    (find-file path)
    (cl-letf (((symbol-function 'read-file-name) (lambda (&rest _) path)))
      (call-interactively #'ide-companion-send-files))
    (should (equal (ide-companion-test-mentions) `(((:path ,path)))))))

(ide-companion-deftest "a text is sent with the lines of the region, and an empty one is not"
  (let ((ide-companion-test-result '(:message "The prompt of Another Agent has it"))
        (path (ide-companion-test-file "a.txt" "1\n2\n3\n")))
    (find-file path)
    (cl-letf (((symbol-function 'read-string) (lambda (&rest _) "why?")))
      (call-interactively #'ide-companion-send-text)
      (let ((transient-mark-mode t))
        (push-mark 3 t t)
        (call-interactively #'ide-companion-send-text)))
    (pcase-let ((`(,plain ,with-lines) (ide-companion-test-sent :companion/send)))
      (should (equal (plist-get plain :text) "why?"))
      (should-not (plist-member plain :mentions))
      (should (equal (plist-get with-lines :mentions)
                     `[(:path ,path :lines (:first 1 :last 1))])))
    (should (equal (car ide-companion-test-said) "The prompt of Another Agent has it"))
    (should-error (ide-companion-send-text " ") :type 'user-error)))

(ide-companion-deftest "the diagnostics of lines, or with a prefix argument of the buffer, are sent"
  (let ((ide-companion-test-result '(:message "The prompt of Another Agent has it"))
        (path (ide-companion-test-file "a.txt" "1\n2\n3\n")))
    (find-file path)
    (ide-companion-send-diagnostics 2 2)
    (narrow-to-region 1 3)
    (let ((current-prefix-arg '(4)))
      (call-interactively #'ide-companion-send-diagnostics))
    (should (equal (mapcar (lambda (params) (plist-get params :diagnostics))
                           (ide-companion-test-sent :companion/send))
                   `((:path ,path :lines (:first 2 :last 2)) (:path ,path :lines (:first 1 :last 4)))))))

(provide 'send-test)
;;; send-test.el ends here
